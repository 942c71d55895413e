import { Alert, Button, Checkbox, NativeSelect, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { dataOf } from '../../api/client.js';
import { asFailure } from '../../api/failure.js';
import { isLimitable } from '../../../../../src/features/auth/scopes.js';
import { useAccount, useUser, type Scope } from '../../api/session.js';
import { AppHost } from '../../components/app-host.js';
import { Facts } from '../../components/facts.js';
import { FoldersField } from '../folders/folders-field.js';
import { Form } from '../people/form.js';
import { SignedOutPage } from '../sign-in/signed-out-page.js';
import { APP_SCOPES } from './app-scopes.js';
import { destinationOf, type Authorization } from './authorization.js';
import classes from './authorize.module.css';

type AskedScope = Authorization['scopes'][number];
type Days = Authorization['days'][number];

interface ConsentProps {
  authorization: Authorization;
  /** True while the request is checked for another account. */
  isChecking: boolean;
  /** The query of the page. */
  request: string;
  accountField: ReactNode;
}

/** Shows which app asks for what, and sends the browser back to it with the answer. */
export function Consent({ authorization, isChecking, request, accountField }: ConsentProps) {
  const { client, redirect, scopes, account, refusalUri } = authorization;
  const { api, may, role } = useAccount();
  const { email } = useUser();
  const [changed, setChanged] = useState<Partial<Record<Scope, boolean>>>({});
  const [days, setDays] = useState<Days>(90);
  const [foldersOf, setFoldersOf] = useState<Partial<Record<string, string[] | null>>>({});
  const collections = foldersOf[account.id] ?? null;
  const mayHave = ({ scope, allowed }: AskedScope) =>
    allowed && (collections === null || isLimitable(scope));
  const isGranted = (one: AskedScope) => mayHave(one) && (changed[one.scope] ?? one.asked);
  const granted = scopes.filter(isGranted).map(({ scope }) => scope);
  const allow = useMutation({
    mutationFn: () => {
      const body = { query: request, scopes: granted, days, collections };
      return dataOf(api.POST('/v1/oauth/authorizations', { body }));
    },
    onSuccess: ({ redirectUri }) => {
      if (redirectUri !== null) window.location.replace(redirectUri);
    },
    gcTime: 0,
  });
  const whyNot = (one: AskedScope) => {
    if (!one.allowed) return `Your role (${role}) doesn't include this.`;
    return mayHave(one) ? undefined : 'Only for apps that can open all folders.';
  };
  const boxes = (isAsked: boolean) => (
    <Stack gap="sm">
      {scopes
        .filter(({ asked }) => asked === isAsked)
        .map((one) => (
          <Checkbox
            key={one.scope}
            label={APP_SCOPES[one.scope]}
            description={whyNot(one)}
            checked={isGranted(one)}
            disabled={!mayHave(one)}
            onChange={({ currentTarget }) => {
              setChanged({ ...changed, [one.scope]: currentTarget.checked });
            }}
          />
        ))}
    </Stack>
  );
  if (allow.data) return <Done appName={client.name} uri={allow.data.redirectUri} />;
  return (
    <SignedOutPage
      title={`${client.name} asks for access`}
      sentence="Only allow apps that you trust. What they do is recorded under your name."
    >
      <Form
        submit="Allow"
        submission={allow}
        disabled={granted.length === 0 || isChecking || collections?.length === 0}
        beside={
          <Button component="a" variant="default" href={refusalUri}>
            Cancel
          </Button>
        }
        onSubmit={() => {
          allow.mutate();
        }}
      >
        <Facts
          of={[
            ['App', client.name],
            ['From', <AppHost key="from" host={client.host} />],
            ['Returns to', destinationOf(redirect)],
            ['Account', account.name],
            ['Signed in as', email],
          ]}
        />
        {client.host === null && (
          <Text size="sm" c="dimmed">
            Anyone can use this name. Nobody vouches for the app.
          </Text>
        )}
        {redirect.isLoopback && (
          <Alert color="orange">Only continue if you started this on this computer.</Alert>
        )}
        {accountField}
        <fieldset className={classes.scopes}>
          <legend>The app can</legend>
          {boxes(true)}
        </fieldset>
        {scopes.some(({ asked }) => !asked) && (
          <details className={classes.more}>
            <summary>Allow more</summary>
            {boxes(false)}
          </details>
        )}
        <FoldersField
          who={client.name}
          value={collections}
          error={allow.error === null ? undefined : asFailure(allow.error).problemOf('collections')}
          onChange={(chosen) => {
            setFoldersOf({ ...foldersOf, [account.id]: chosen });
          }}
        />
        <NativeSelect
          label="Access ends"
          description={
            may('keys:read')
              ? 'To end it earlier, disconnect the app under API keys.'
              : 'To end it earlier, disconnect the app in your profile.'
          }
          data={authorization.days.map((value) => ({
            value: String(value),
            label: `In ${String(value)} days`,
          }))}
          value={String(days)}
          onChange={({ currentTarget }) => {
            setDays(Number(currentTarget.value) as Days);
          }}
        />
      </Form>
    </SignedOutPage>
  );
}

/** Stays open if an app of this computer continues, and not a website. */
function Done({ appName, uri }: { appName: string; uri: string | null }) {
  return (
    <SignedOutPage title={`Returning to ${appName}`}>
      <Text size="sm" mb="md" role="status">
        When {appName} says that it is connected, you can close this page.
      </Text>
      {uri !== null && (
        <Button component="a" variant="default" href={uri}>
          Open {appName}
        </Button>
      )}
    </SignedOutPage>
  );
}
