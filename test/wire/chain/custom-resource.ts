import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** Calls a function as CloudFormation does for a custom resource. @throws Error where it answers FAILED. */
export async function callCustomResource(
  invoke: (event: unknown) => Promise<unknown>,
  request: {
    readonly RequestType: 'Create' | 'Update';
    readonly ResourceType: string;
    readonly ResourceProperties: Readonly<Record<string, string>>;
    readonly OldResourceProperties?: Readonly<Record<string, string>>;
  },
): Promise<void> {
  let answer: Record<string, string> = {};
  const bucket = createServer(async (put, response) => {
    answer = (await json(put)) as Record<string, string>;
    response.end();
  });
  await new Promise<void>((resolve) => bucket.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = bucket.address() as AddressInfo;
    await invoke({
      ...request,
      ResponseURL: `http://127.0.0.1:${port}/answer`,
      StackId: 'stack',
      RequestId: 'request',
      LogicalResourceId: request.ResourceType,
    });
  } finally {
    bucket.closeAllConnections();
    bucket.close();
  }
  if (answer.Status !== 'SUCCESS') throw new Error(`${request.ResourceType}: ${answer.Reason}`);
}
