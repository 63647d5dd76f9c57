/** Errors as the AWS SDK throws them. */

/** An answer of the service that is not a success. */
export function serviceError(name: string, status = 400, message = `${name} from AWS`): Error {
  return Object.assign(new Error(message), {
    name,
    $fault: status < 500 ? 'client' : 'server',
    $metadata: { httpStatusCode: status, requestId: 'request-1' },
  });
}

/** No answer at all. */
export function networkError(code: string): Error {
  return Object.assign(new Error(`connect ${code} 10.0.0.1:443`), { name: 'TimeoutError', code });
}
