import { expect, vi } from 'vitest';
import { type Inbox, messages } from '../../clients/support/service.ts';

/** Waits until the inbox holds these messages and no others. */
export async function delivered(inbox: Inbox, texts: readonly string[]): Promise<void> {
  await vi.waitFor(
    async () => {
      expect(messages(await inbox.events())).toEqual(texts.toSorted());
    },
    { timeout: 60_000, interval: 500 },
  );
}
