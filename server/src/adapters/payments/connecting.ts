/** Whether the error shows that no connection was made, so that nothing can have been sent. */
export function isOfConnecting(error: unknown): boolean {
  if (error instanceof AggregateError)
    return error.errors.length > 0 && error.errors.every(isOfConnecting);
  const { syscall } = (error ?? {}) as { syscall?: string };
  return syscall === 'connect' || syscall === 'getaddrinfo';
}
