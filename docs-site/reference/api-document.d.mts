export interface Schema {
  properties?: Record<string, Schema>;
}

export interface Operation {
  operationId: string;
  method: string;
  path: string;
  summary: string;
  tag: string;
  scopes: string[] | undefined;
  requestBody?: object;
  responses: {
    status: string;
    description: string;
    content?: Record<string, { schema?: Schema }>;
  }[];
}

export type Api = Readonly<Record<string, unknown>>;
export function readApiDocument(): Api;
export function operationsOf(api: Api): Operation[];
export function operationPageFile(operationId: string): string;
