import { RequestMethod, type Type } from '@nestjs/common';
import { GUARDS_METADATA, METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { MetadataScanner, Reflector, type ModulesContainer } from '@nestjs/core';
import { DECORATORS } from '@nestjs/swagger';
import {
  ANY_SCOPE,
  AUTHENTICATION,
  FOR_PEOPLE,
  REQUIRED_SCOPE,
  SUFFICIENT_SCOPE,
  type Authentication,
} from '../../features/auth/auth.decorators.js';
import { REACH, type RouteReach } from '../../features/auth/access/reach.decorators.js';
import type { Scope } from '../../features/auth/scopes.js';
import { ID_PREFIXES, type IdKind } from '../../platform/basics/identifiers/identifiers.js';
import {
  ONE_TIME_SECRET,
  type OneTimeSecretRule,
} from '../../platform/http/envelope/api-response.js';
import {
  REFUSALS,
  WITHOUT_ENVELOPE,
  type Refusal,
} from '../../platform/openapi/route-decorators.js';

/** The facts about a route that its decorators declare, for the API document. */
export interface Route {
  authentication: Authentication;
  /** The scope that a key needs; `any` if every key is allowed. */
  scope: Scope | typeof ANY_SCOPE | undefined;
  /** True if keys that read only published versions get those. */
  readsPublished: boolean;
  /** True if only signed-in people can use it. */
  isForPeople: boolean;
  /** True if the route has its own guard, such as one for signed-in people. */
  guarded: boolean;
  /** What the route reads or changes, and whether browser tokens can use it. */
  reach: RouteReach;
  /** The kind of resource in the path of the controller or the route, if the resource has an id. */
  resource: IdKind | undefined;
  refusals: readonly Refusal[];
  enveloped: boolean;
  /** True for a GET, which `If-None-Match` makes conditional. */
  isRead: boolean;
  /** True if it accepts an `Idempotency-Key`. */
  idempotent: boolean;
  /** The response field that shows a secret once. */
  secretField: string | undefined;
}

/**
 * Returns the routes of an application by operation id. Throws if two routes have the same id, and for a route without
 * `@Reach`.
 */
export function routesByOperation(modules: ModulesContainer): Map<string, Route> {
  const routes = new Map<string, Route>();
  for (const { controllers } of modules.values()) {
    for (const { metatype } of controllers.values()) {
      for (const [id, route] of routesOf(metatype as Type)) {
        if (routes.has(id)) {
          throw new Error(
            `Two routes are called ${id}: give one an operationId with @ApiOperation.`,
          );
        }
        routes.set(id, route);
      }
    }
  }
  return routes;
}

/** Returns `createDocument` for DocumentsController.create, and `listDocuments` for DocumentsController.list. */
export function operationIdOf(controller: string, method: string): string {
  const noun = controller.replace(/Controller$/, '');
  return method + (method === 'list' ? noun : singular(noun));
}

function* routesOf(controller: Type): Generator<[string, Route]> {
  const reflector = new Reflector();
  const prototype = controller.prototype as Record<string, () => unknown>;
  for (const name of new MetadataScanner().getAllMethodNames(prototype)) {
    const handler = prototype[name];
    if (!handler || !Reflect.hasMetadata(PATH_METADATA, handler)) continue;
    const declared = (key: symbol | string): unknown =>
      reflector.getAllAndOverride(key, [handler, controller]);
    const authentication = (declared(AUTHENTICATION) ?? 'required') as Authentication;
    const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod;
    const operation = Reflect.getMetadata(DECORATORS.API_OPERATION, handler) as
      { operationId?: string } | undefined;
    const id = operation?.operationId ?? operationIdOf(controller.name, name);
    const reach = declared(REACH) as RouteReach | undefined;
    if (!reach) {
      throw new Error(
        `${controller.name}.${name} does not declare what it reads or changes: add @Reach.`,
      );
    }
    yield [
      id,
      {
        authentication,
        scope: declared(REQUIRED_SCOPE) as Route['scope'],
        readsPublished: declared(SUFFICIENT_SCOPE) === 'documents:read_published',
        isForPeople: declared(FOR_PEOPLE) === true,
        guarded: declared(GUARDS_METADATA) !== undefined,
        reach,
        resource:
          resourceOf(Reflect.getMetadata(PATH_METADATA, controller) as unknown) ??
          resourceOf(Reflect.getMetadata(PATH_METADATA, handler) as unknown),
        refusals: (declared(REFUSALS) ?? []) as Refusal[],
        enveloped: declared(WITHOUT_ENVELOPE) !== true,
        isRead: method === RequestMethod.GET,
        idempotent: method === RequestMethod.POST && authentication === 'required',
        secretField: (declared(ONE_TIME_SECRET) as OneTimeSecretRule | undefined)?.field,
      },
    ];
  }
}

/** Resources whose IDs are those of another kind. */
const BORROWED_IDS: Readonly<Record<string, IdKind>> = {
  oauth: 'key',
  serviceAccount: 'user',
};

/** Returns `document` for a path that starts with `documents`, and `bigReply` for `big-replies`. */
function resourceOf(path: unknown): IdKind | undefined {
  const [first = ''] = typeof path === 'string' ? path.split('/') : [];
  const noun = singular(first).replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  return noun in ID_PREFIXES ? (noun as IdKind) : BORROWED_IDS[noun];
}

function singular(noun: string): string {
  return noun.replace(/ies$/, 'y').replace(/s$/, '');
}
