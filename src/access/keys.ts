import { createHash, randomBytes } from 'node:crypto';

/** Hex SHA-256. A slow hash would only slow requests down: generated keys cannot be guessed. */
export function hashKey(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** 256 random bits. The prefix lets secret scanners find keys that leaked into a repository. */
export function generateKey(): string {
  return `sluice_${randomBytes(32).toString('hex')}`;
}
