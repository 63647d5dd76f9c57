import { RemovalPolicy } from 'aws-cdk-lib';

/**
 * Of what cannot be had again: it stays when it leaves its stack, also when the stack is deleted, but goes
 * when the deployment that made it fails, since then it is empty. Were it to stay, the next attempt would
 * find its name taken.
 */
export const RETAIN = RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE;
