import { Alert, Badge, Button, Checkbox, NativeSelect, Stack } from '@mantine/core';
import { useState } from 'react';
import type { AccountMembership } from '../../api/people.js';
import { useAccount, useUser, type Scope } from '../../api/session.js';
import { Facts } from '../../components/facts.js';
import type { Submission } from '../../components/dialog.js';
import { Form } from '../people/form.js';
import { sentenceFor } from './app-scopes.js';
import { destinationOf, type Authorization } from './authorization.js';
import classes from './authorize.module.css';

/** How long an app can have access, in days. */
const PERIODS = [30, 90, 365];

export interface Consent {
  scopes: Scope[];
  expiresInDays: number;
}

interface ConsentFormProps {
  authorization: Authorization;
  accounts: readonly AccountMembership[];
  onAccount: (accountId: string) => void;
  onAllow: (consent: Consent) => void;
  onCancel: () => void;
  submission: Submission;
}

/** What an app may do, in which account, and for how long. */
export function ConsentForm(props: ConsentFormProps) {
  const { authorization, accounts, onAccount, onAllow, onCancel, submission } = props;
  const { client, redirectUri, scopes: asked, addable } = authorization;
  const { id, may, role } = useAccount();
  const { email } = useUser();
  const [chosen, setChosen] = useState<ReadonlySet<Scope>>(new Set(asked));
  const [days, setDays] = useState('90');
  const destination = destinationOf(redirectUri);
  const granted = [...chosen].filter(may);
  const toggle = (scope: Scope, checked: boolean) => {
    const next = new Set(chosen);
    if (checked) next.add(scope);
    else next.delete(scope);
    setChosen(next);
  };
  const boxes = (scopes: readonly Scope[]) =>
    scopes.map((scope) => (
      <Checkbox
        key={scope}
        label={sentenceFor(scope)}
        {...(!may(scope) && { description: `Your role (${role}) doesn't include this.` })}
        checked={chosen.has(scope) && may(scope)}
        disabled={!may(scope)}
        onChange={({ currentTarget }) => {
          toggle(scope, currentTarget.checked);
        }}
      />
    ));
  return (
    <Form
      submit="Allow"
      submission={submission}
      disabled={granted.length === 0}
      beside={
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
      }
      onSubmit={() => {
        onAllow({ scopes: granted, expiresInDays: Number(days) });
      }}
    >
      <Facts
        of={[
          ['App', client.name],
          ['From', client.host ?? <Badge color="orange">Unverified</Badge>],
          ['Then opens', destination.text],
          ['Signed in as', email],
        ]}
      />
      {destination.isLoopback && (
        <Alert color="orange">Only continue if you started this on this computer.</Alert>
      )}
      {accounts.length > 1 && (
        <NativeSelect
          label="Account"
          data={accounts.map(({ id: value, name }) => ({ value, label: name }))}
          value={id}
          onChange={({ currentTarget }) => {
            onAccount(currentTarget.value);
          }}
        />
      )}
      <fieldset className={classes.scopes}>
        <legend>The app can</legend>
        <Stack gap="sm">{boxes(asked)}</Stack>
      </fieldset>
      {addable.length > 0 && (
        <fieldset className={classes.scopes}>
          <legend>You can also allow it to</legend>
          <Stack gap="sm">{boxes(addable)}</Stack>
        </fieldset>
      )}
      <NativeSelect
        label="Access ends after"
        description="You can disconnect the app at any time under API keys."
        data={PERIODS.map((period) => ({ value: String(period), label: `${String(period)} days` }))}
        value={days}
        onChange={({ currentTarget }) => {
          setDays(currentTarget.value);
        }}
      />
    </Form>
  );
}
