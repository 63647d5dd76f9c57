import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 100;
const START_MS = 20_000;
const STOP_MS = 20_000;

/** A running agent. */
export interface Agent extends AsyncDisposable {
  /** Ends the agent as an init system does, so that it hands over what it holds; at last by force. */
  stop(): Promise<void>;
}

/** @returns when the agent listens on the port. @throws Error with its output if it does not. */
export async function startAgent(
  program: string,
  args: readonly string[],
  { libraryPath, port }: { readonly libraryPath: readonly string[]; readonly port: number },
): Promise<Agent> {
  const child = spawn(program, args, {
    env: { PATH: process.env.PATH, LD_LIBRARY_PATH: libraryPath.join(':') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const read = (text: string) => {
    output += text;
  };
  child.stdout.setEncoding('utf8').on('data', read);
  child.stderr.setEncoding('utf8').on('data', read);
  const closed = once(child, 'close');
  const running = () => child.exitCode === null && child.signalCode === null;
  const stop = async () => {
    if (!running()) return;
    child.kill('SIGTERM');
    const force = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    await closed;
    clearTimeout(force);
  };
  const deadline = Date.now() + START_MS;
  while (!(await listens(port))) {
    if (!running() || Date.now() > deadline) {
      await stop();
      throw new Error(`${program} does not listen: ${output}`);
    }
    await delay(POLL_MS);
  }
  return { stop, [Symbol.asyncDispose]: stop };
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}

/** A port of this machine that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('No port is free.');
  return address.port;
}

/** Sends messages as frames of RFC 6587: each with its length in front. */
export async function sendFrames(port: number, messages: readonly string[]): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  for (const message of messages) socket.write(`${Buffer.byteLength(message)} ${message}`);
  socket.end();
  await once(socket, 'close');
}
