import type { Access, Urgency } from '@gatehouse/contract/endpoint';

/** What the server notes with a route. */
export type RouteConfig = {
  /** The access rule from `routesOf`, or `staff` from `officeRoutesOf`. */
  access?: Access | 'staff';
  /**
   * The order in which its calls are shed under load; a route without one does not query the
   * database.
   */
  urgency?: Urgency;
  /** Whether it is of the office, which may have a host of its own. */
  isOffice?: boolean;
};

declare module 'fastify' {
  // oxlint-disable-next-line typescript/no-empty-object-type -- its members are those above
  interface FastifyContextConfig extends RouteConfig {}
}
