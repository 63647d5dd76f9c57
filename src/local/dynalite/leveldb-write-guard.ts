/** What this module needs of the class of a LevelDB store. */
export interface LevelClass {
  readonly prototype: LevelWrites;
}

interface LevelWrites {
  /** The store's directory. */
  readonly location: string;
  put(...args: unknown[]): Promise<unknown>;
  del(...args: unknown[]): Promise<unknown>;
  batch(...args: unknown[]): Promise<unknown>;
}

const guarded = new WeakSet<LevelClass>();
const failed = new WeakSet<LevelWrites>();
const listeners = new Map<string, (error: unknown) => void>();

/**
 * Has stores of a class refuse every write after one that failed, until they are opened anew, as
 * DynamoDB's internal error.
 *
 * LevelDB goes on after a write that the disk took in part, and acknowledges what it appends behind
 * it; but when it is opened next, its log ends at the part (seen with 3.0: all of 200 later writes
 * were gone). And dynalite throws what is not an error of DynamoDB's into the event loop, which ends
 * the process.
 */
export function guardWrites(level: LevelClass): void {
  if (guarded.has(level)) return;
  guarded.add(level);
  const { prototype } = level;
  for (const method of ['put', 'del', 'batch'] as const) {
    const write = prototype[method];
    prototype[method] = async function (this: LevelWrites, ...args) {
      if (failed.has(this)) throw internalError();
      try {
        return await write.apply(this, args);
      } catch (error) {
        failed.add(this);
        listeners.get(this.location)?.(error);
        throw internalError(error);
      }
    };
  }
}

/**
 * Hears of the first failed write of each store in a directory.
 *
 * @returns ends that.
 */
export function onFailedWrite(location: string, listener: (error: unknown) => void): () => void {
  listeners.set(location, listener);
  return () => listeners.delete(location);
}

/** dynalite answers an error that has a status and a body, and throws any other. */
function internalError(cause?: unknown): Error {
  const message = 'The store cannot be written to.';
  return Object.assign(new Error(message, { cause }), {
    statusCode: 500,
    body: { __type: 'com.amazonaws.dynamodb.v20120810#InternalServerError', message },
  });
}
