import type { SchemaObject } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { APP_SCOPES, type AppScope } from '../../auth/connected-app.js';
import { ConnectedAppDto } from '../../keys/dto/api-key.dto.js';
import { CollectionsField } from '../../keys/dto/write-key.dto.js';
import { Field } from '../../../platform/openapi/field.js';
import type { RedirectTarget } from '../clients/redirect-uris.js';

/** Days that a person can give an app access for. */
export const DAYS = [30, 90, 365] as const;

const DAYS_SCHEMA: SchemaObject = {
  type: 'integer',
  format: 'int32',
  minimum: 30,
  maximum: 365,
  enum: [...DAYS],
};

const QueryField = () =>
  Field.text({
    max: 8_192,
    description: 'The query of the consent page, without the question mark, as the app sent it.',
    example:
      'response_type=code&client_id=https%3A%2F%2Fapp.example.com%2Foauth%2Fclient.json&redirect_uri=http%3A%2F%2F127.0.0.1%3A4567%2Fcallback&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256&state=af0ifjsldkj',
  });

/** The body of `POST /v1/oauth/authorizations/check`. */
export class CheckAuthorizationDto {
  @QueryField() query: string;
}

/** The body of `POST /v1/oauth/authorizations`. */
export class ApproveAuthorizationDto {
  @QueryField() query: string;

  @Field.list(APP_SCOPES, {
    min: 1,
    max: APP_SCOPES.length,
    empty: 'must contain at least one scope',
    unique: 'must not repeat a scope',
    description: 'What the app can do. Only scopes that your role has.',
    example: ['documents:read', 'documents:suggest'],
  })
  scopes: AppScope[];

  @Field.schema(
    {
      ...DAYS_SCHEMA,
      description: 'How many days the app keeps its access.',
      example: 90,
    },
    {},
    [IsIn(DAYS, { message: `must be ${DAYS.join(' or ')}` })],
  )
  days: number;

  @CollectionsField({
    optional: true,
    description:
      'The collections that the app can use, with all below them; nothing else exists for it. Only those that you can see, and only with scopes that are `limitable`. Omitted or null: all that you can see, at any time.',
  })
  collections?: string[] | null;
}

class RedirectTargetDto implements RedirectTarget {
  @Field.text({
    max: 260,
    nullable: true,
    description: 'Host and port. Null: an app with its own scheme.',
    example: '127.0.0.1:4567',
  })
  host: string | null;

  @Field.flag({
    description:
      'True if it leads to a program on your own device. Any program on it can receive the access.',
    example: true,
  })
  isLoopback: boolean;

  @Field.text({
    max: 100,
    nullable: true,
    description: 'The scheme that opens the app, such as `cursor`. Null: a web address.',
    example: null,
  })
  scheme: string | null;
}

class RequestedScopeDto {
  @Field.oneOf(APP_SCOPES, { example: 'documents:read' }) scope: AppScope;
  @Field.flag({ description: 'True if the app asks for it.', example: true }) asked: boolean;
  @Field.flag({ description: 'True if your role has it.', example: true }) allowed: boolean;

  @Field.flag({
    description: 'False if an app that is limited to some collections cannot have it.',
    example: true,
  })
  limitable: boolean;
}

class AuthorizedAccountDto {
  @Field.id('account') id: string;
  @Field.text({ max: 200, example: 'Analytical Engines Ltd' }) name: string;
}

/** What an app asks for, to show it to the person who decides. */
export class AuthorizationRequestDto {
  @Field.object(ConnectedAppDto) client: ConnectedAppDto;

  @Field.object(RedirectTargetDto, { description: 'Where the browser goes after the decision.' })
  redirect: RedirectTargetDto;

  @Field.list(RequestedScopeDto, {
    max: APP_SCOPES.length,
    description: 'Every scope that can be granted to an app.',
  })
  scopes: RequestedScopeDto[];

  @Field.object(AuthorizedAccountDto, { description: 'The account that the app will use.' })
  account: AuthorizedAccountDto;

  @Field.flag({
    description:
      'True if you can see a collection, so that you can limit the app. `GET /v1/collections` lists them.',
    example: true,
  })
  hasCollections: boolean;

  @Field.list(DAYS_SCHEMA, {
    max: DAYS.length,
    description: 'Days to choose from.',
    example: [...DAYS],
  })
  days: readonly number[];

  @Field.uri({
    max: 8_192,
    description: 'Where to send the browser if the person refuses.',
    example:
      'http://127.0.0.1:4567/callback?error=access_denied&state=af0ifjsldkj&iss=https%3A%2F%2Fdocuments.example.com',
  })
  refusalUri: string;
}

/** The response to a consent. */
export class ApprovedAuthorizationDto {
  @Field.secret({
    max: 8_192,
    description:
      'Where to send the browser. It contains a code that the app can exchange once, within a minute.',
    example:
      'http://127.0.0.1:4567/callback?code=ds_ac_7Gq2mVb8TzKxW4nRc9YpLs3HdJf6Ea1Q0a1B2c&state=af0ifjsldkj&iss=https%3A%2F%2Fdocuments.example.com',
  })
  redirectUri: string | null;
}
