import type { AlertTarget, Notification } from '../model/alert.ts';
import type { Attempt } from './post.ts';

export type TargetType = AlertTarget['type'];

/** A way to tell people. One for each type of target, on AWS and on a laptop. */
export interface Channel<Type extends TargetType> {
  /** Why there are no targets of this type here; undefined where there are. */
  readonly missing?: string;
  /** Makes one attempt. Never throws. */
  send(
    target: Extract<AlertTarget, { type: Type }>,
    notification: Notification,
    signal: AbortSignal,
  ): Promise<Attempt>;
}

export type Channels = { readonly [Type in TargetType]: Channel<Type> };
