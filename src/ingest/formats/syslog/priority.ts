/** PRI of a syslog message: facility and severity in one number (RFC 5424 6.2.1). */

/** By number; the names are Logflare's, so 10 repeats 4 and 15 repeats 9. */
const FACILITIES = [
  'kernel',
  'user',
  'mail',
  'system',
  'auth',
  'syslogd',
  'line_printer',
  'network_news',
  'uucp',
  'clock',
  'auth',
  'ftp',
  'ntp',
  'log_audit',
  'log_alert',
  'clock',
  'local0',
  'local1',
  'local2',
  'local3',
  'local4',
  'local5',
  'local6',
  'local7',
];

const SEVERITIES = [
  'emergency',
  'alert',
  'critical',
  'error',
  'warning',
  'notice',
  'info',
  'debug',
];

/** The highest PRI: facility 23, severity 7. */
export const MAX_PRIORITY = FACILITIES.length * SEVERITIES.length - 1;

/** @param priority from 0 to {@link MAX_PRIORITY}. */
export function facilityOf(priority: number): string | undefined {
  return FACILITIES[priority >> 3];
}

/** @param priority from 0 to {@link MAX_PRIORITY}. */
export function severityOf(priority: number): string | undefined {
  return SEVERITIES[priority & 7];
}
