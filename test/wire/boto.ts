import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { PYTHON } from './moto.ts';

export interface BotoCall {
  readonly url: string;
  /** boto3's names: `scheduler`, `create_schedule`. */
  readonly service: string;
  readonly operation: string;
  readonly input: object;
}

const SCRIPT = `
import boto3, json, sys
call = json.load(sys.stdin)
client = boto3.client(call['service'], endpoint_url=call['url'], region_name='eu-west-1',
                      aws_access_key_id='test', aws_secret_access_key='test')
print(json.dumps(getattr(client, call['operation'])(**call['input']), default=str))
`;

/**
 * Makes a call with boto3, which checks the input by the model that AWS publishes of the service. It lies
 * beside moto, which is made of it.
 *
 * @throws Error with what boto3 says of a call that it does not make, or that is refused
 */
export async function callWithBoto(call: BotoCall): Promise<unknown> {
  const python = spawn(PYTHON, ['-c', SCRIPT], { stdio: 'pipe' });
  python.stdin.end(JSON.stringify(call));
  const ended = once(python, 'close');
  const [answer, problem] = await Promise.all([text(python.stdout), text(python.stderr)]);
  const [code] = await ended;
  if (code !== 0) throw new Error(`boto3 ended with ${code}:\n${problem}`);
  return JSON.parse(answer);
}
