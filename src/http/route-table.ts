import type { Express } from 'express';
import type { NestExpressApplication } from '@nestjs/platform-express';

/** The part of Express' router that tells which routes there are. */
interface Layer {
  route?: { path: unknown; methods: Record<string, boolean> };
  match(path: string): boolean;
}

const CATCH_ALL = '/{*path}';

/**
 * Moves the catch-all route behind every other one. Nest registers routes in the order of modules, which changes with
 * each module a team adds.
 */
export function placeUnknownRoutesLast(app: NestExpressApplication): void {
  const stack = layersOf(app.getHttpAdapter().getInstance());
  const found = stack.findIndex(({ route }) => route?.path === CATCH_ALL);
  if (found === -1) return;
  const [catchAll] = stack.splice(found, 1);
  const lastRoute = stack.findLastIndex(({ route }) => route !== undefined);
  if (catchAll) stack.splice(lastRoute + 1, 0, catchAll);
}

/** The methods a path has, in alphabetical order; empty for a path that no route has. */
export function methodsOf(express: Express, path: string): string[] {
  const methods = layersOf(express)
    .filter(({ route }) => route !== undefined && route.path !== CATCH_ALL)
    .filter((layer) => layer.match(path))
    .flatMap(({ route }) => Object.keys(route?.methods ?? {}));
  const names = new Set(methods.map((method) => method.toUpperCase()));
  if (names.has('GET')) names.add('HEAD');
  return [...names].sort();
}

function layersOf(express: Express): Layer[] {
  return express.router.stack as unknown as Layer[];
}
