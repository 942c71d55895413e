import { Controller, Get, Module, Post } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { ApiOperation } from '@nestjs/swagger';
import { Test } from '@nestjs/testing';
import { Reach } from '../../features/auth/access/reach.decorators.js';
import { Public, RequireScope } from '../../features/auth/auth.decorators.js';
import { AppError, invalidFields } from '../../platform/basics/errors/app-error.js';
import { Refuses } from '../../platform/openapi/route-decorators.js';
import { operationIdOf, routesByOperation, type Route } from './routes.js';

const MISSING = invalidFields([{ field: 'title', issue: 'required field missing' }]);
const ENDED = new AppError('conflict', 'It has ended.');

@Controller('documents')
class DocumentsController {
  @Post()
  @RequireScope('documents:write')
  @Reach('editor', { browser: true })
  @Refuses([
    ['Title missing', MISSING],
    ['Already ended', ENDED],
  ])
  create(): void {
    throw MISSING;
  }

  @Get()
  @Reach('visible')
  @ApiOperation({ operationId: 'walkThroughDocuments' })
  list(): void {
    throw ENDED;
  }
}

@Controller('health')
@Public()
@Reach('none')
class HealthController {
  @Get()
  live(): string {
    return 'live';
  }
}

@Controller('other')
@Reach('none')
class OtherController {
  @Get()
  @ApiOperation({ operationId: 'createDocument' })
  read(): string {
    return 'other';
  }
}

@Controller('undeclared')
class UndeclaredController {
  @Get()
  @RequireScope('documents:read')
  read(): string {
    return 'undeclared';
  }
}

@Module({ controllers: [DocumentsController, HealthController] })
class Service {}

async function routesOf(...controllers: (new () => object)[]): Promise<Map<string, Route>> {
  const module = await Test.createTestingModule({ imports: [Service], controllers }).compile();
  return routesByOperation(module.get(ModulesContainer));
}

describe('the routes of an application', () => {
  it('have IDs made of the method and the resource, or from their operationId', async () => {
    expect([...(await routesOf()).keys()]).toEqual([
      'createDocument',
      'walkThroughDocuments',
      'liveHealth',
    ]);
    expect(operationIdOf('WebhooksController', 'list')).toBe('listWebhooks');
  });

  it('have the declared scope and errors, in the declared order', async () => {
    expect((await routesOf()).get('createDocument')).toEqual({
      authentication: 'required',
      scope: 'documents:write',
      readsPublished: false,
      isForPeople: false,
      guarded: false,
      reach: { level: 'editor', browser: true },
      resource: 'document',
      isRead: false,
      idempotent: true,
      refusals: [
        ['Title missing', MISSING],
        ['Already ended', ENDED],
      ],
      enveloped: true,
    });
  });

  it('are public if their controller is', async () => {
    expect((await routesOf()).get('liveHealth')).toMatchObject({
      authentication: 'none',
      scope: undefined,
      resource: undefined,
    });
  });

  it('must declare what they read or change; without, the API document cannot be built', async () => {
    await expect(routesOf(UndeclaredController)).rejects.toThrow(
      'UndeclaredController.read does not declare what it reads or changes: add @Reach.',
    );
  });

  it('must have unique IDs; a duplicate fails with a sentence that says what to do', async () => {
    await expect(routesOf(OtherController)).rejects.toThrow(
      'Two routes are called createDocument: give one an operationId with @ApiOperation.',
    );
  });
});
