import { expect } from 'vitest';
import type { startAt } from './stopped-clock.ts';

type Service = Awaited<ReturnType<typeof startAt>>;

/** What cases about alerts do. */
export function alertsOf(service: () => Service) {
  const create = async (fields: object) => {
    const answer = await service().sluice.post('/api/alerts', fields);
    expect(answer, answer.text).toMatchObject({ status: 201 });
    return answer.body as { token: string; targets: { id: string; secret: string }[] };
  };
  const show = async (token: string) => (await service().sluice.call(`/api/alerts/${token}`)).body;
  const minuteLater = async () => {
    service().clock.advance(60);
    await service().checkAlerts();
  };
  return { create, show, minuteLater };
}
