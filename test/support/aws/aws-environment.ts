import { vi } from 'vitest';

export const ACCESS_KEY = { id: 'test', secret: 'test' } as const;

/** Points the SDK's environment at an address, so that clients from the real factories call it. */
export function pointSdkAt(url: string): void {
  vi.stubEnv('AWS_ENDPOINT_URL', url);
  vi.stubEnv('AWS_REGION', 'eu-west-1');
  vi.stubEnv('AWS_PROFILE', undefined);
  vi.stubEnv('AWS_ACCESS_KEY_ID', ACCESS_KEY.id);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', ACCESS_KEY.secret);
  vi.stubEnv('AWS_SESSION_TOKEN', 'session');
  vi.stubEnv('AWS_CONFIG_FILE', '/dev/null');
  vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', '/dev/null');
}
