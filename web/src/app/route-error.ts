/** What the error page shows (spec section 8): a message, a status number and its text. */
export class RouteError extends Error {
  readonly status: number;
  readonly statusText: string;

  constructor(status: number, statusText: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
    this.statusText = statusText;
  }
}

/** A thrown value as the error page shows it: anything we did not throw on purpose is a bug, whose details do not help a tenant. */
export function routeErrorOf(error: unknown): RouteError {
  if (error instanceof RouteError) return error;
  return new RouteError(500, 'Application Error', 'Something went wrong while showing this page.');
}
