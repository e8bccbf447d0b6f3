/** Routes that only the operator's keys find: to every other key they are no routes. */

export const isOperators = ({ path }: { readonly path: string }): boolean =>
  path.startsWith('/v1/tenants')
