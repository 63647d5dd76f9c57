import { describe, expect, test } from 'vitest';
import { classifySdkError } from '../../src/platform/sdk-error.ts';
import { networkError, serviceError } from '../support/aws/failures.ts';

describe('what a failed AWS call means', () => {
  test.each([
    serviceError('ThrottlingException'),
    serviceError('TooManyRequestsException'),
    serviceError('LimitExceededException'),
    serviceError('ServiceUnavailableException', 503),
    serviceError('SomethingNew', 429),
  ])('$name is a lack of capacity', (error) => {
    expect(classifySdkError(error).kind).toBe('throttled');
  });

  test.each([
    networkError('ECONNRESET'),
    networkError('ECONNREFUSED'),
    networkError('ENOTFOUND'),
    Object.assign(new Error('slow'), { name: 'TimeoutError' }),
    Object.assign(new TypeError('fetch failed'), { cause: { code: 'ETIMEDOUT' } }),
    Object.assign(new TypeError('fetch failed'), { cause: { code: 'UND_ERR_SOCKET' } }),
    new DOMException('The operation was aborted due to timeout', 'TimeoutError'),
    Object.assign(new Error('Request aborted'), { name: 'AbortError' }),
    serviceError('InternalServerException', 500),
    serviceError('SomethingNew', 502),
  ])('$name $code may succeed next time', (error) => {
    expect(classifySdkError(error).kind).toBe('transient');
  });

  test.each([
    serviceError('AccessDeniedException'),
    serviceError('ResourceNotFoundException'),
    serviceError('InvalidArgumentException'),
    serviceError('ExpiredTokenException', 403),
    new TypeError('a bug of ours'),
    'a string',
    null,
    undefined,
  ])('%s will not go away', (error) => {
    expect(classifySdkError(error).kind).toBe('permanent');
  });

  test('names the cause of a fetch that failed, and no number', () => {
    const broken = Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNRESET' } });
    expect(classifySdkError(broken).code).toBe('ECONNRESET');
    expect(classifySdkError(new DOMException('late', 'TimeoutError')).code).toBe('TimeoutError');
  });

  test('carries what a log line needs', () => {
    expect(classifySdkError(serviceError('AccessDeniedException'))).toEqual({
      kind: 'permanent',
      code: 'AccessDeniedException',
      requestId: 'request-1',
    });
  });
});
