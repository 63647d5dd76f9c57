import { stringifyJson } from '../../platform/json/json.ts';
import type { Notification } from '../model/alert.ts';
import type { Channel } from './channel.ts';
import { post } from './post.ts';
import { details, headline } from './texts.ts';
import type { HttpDeps } from './webhook.ts';

/** A section's text has 3,000 characters at most (Slack, "Section block"), as it is sent. */
const MAX_TEXT = 2_900;

/** Posts a message to an incoming webhook of Slack. */
export function slackChannel({ clock: _, ...reach }: HttpDeps): Channel<'slack'> {
  return {
    send({ url }, notification, signal) {
      const headers = { 'Content-Type': 'application/json; charset=utf-8' };
      return post(url, { ...reach, headers, body: slackBody(notification), signal });
    },
  };
}

/** `text` is what notifications of the client show; the blocks are the message. */
export function slackBody(notification: Notification): string {
  const title = escaped(headline(notification));
  const text = [`*${title}*`, ...details(notification).map(escaped)].join('\n').slice(0, MAX_TEXT);
  const rows = notification.sample.slice(0, 3).map((row) => stringifyJson(row));
  const sample = escaped(rows.join('\n').replaceAll('`', "'")).slice(0, MAX_TEXT);
  return JSON.stringify({
    text: title,
    blocks: [section(text), ...(sample === '' ? [] : [section(`\`\`\`${sample}\`\`\``)])],
  });
}

function section(text: string): object {
  return { type: 'section', text: { type: 'mrkdwn', text } };
}

/** The three characters that mean something to Slack ("Formatting text"): no event can mention a channel. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
