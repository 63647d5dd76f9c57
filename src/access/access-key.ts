/** An access key. Only the hash of its value is ever stored. */
export interface AccessKey {
  /** UUID v4 that names the key in the management API; not the secret. */
  readonly id: string;
  /** Hex SHA-256 of the secret. */
  readonly hash: string;
  readonly scopes: readonly string[];
  readonly description: string | null;
  /** Events per second that may be stored; null stands for the deployment's default. */
  readonly rate_limit: number | null;
  readonly insertedAt: string;
}

/** Where access keys are kept. */
export interface AccessKeys {
  listAccessKeys(): Promise<readonly AccessKey[]>;
  accessKeyByHash(hash: string): Promise<AccessKey | undefined>;
  /** @throws ValidationError when a live key has the same secret. */
  createAccessKey(key: AccessKey): Promise<void>;
  /** Changes scopes, description and rate limit. @throws ServiceError `not_found` when revoked or unknown. */
  updateAccessKey(key: AccessKey): Promise<void>;
  /** Revoking twice is fine (Logflare 1.50). @throws ServiceError `not_found` when unknown. */
  deleteAccessKey(id: string): Promise<void>;
}
