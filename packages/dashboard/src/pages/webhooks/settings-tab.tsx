import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { bodyOf } from '../../api/client.js';
import { useAccount } from '../../api/session.js';
import { AddressTabs } from '../../components/address-tabs.js';
import { CodeBlock } from '../../components/code-block.js';
import { Copyable } from '../../components/copyable.js';
import { CopyButton } from '../../components/copy-button.js';
import { AskBeforeLeaving } from '../../components/ask-before-leaving.js';
import { FailureAlert } from '../../components/failure-alert.js';
import { Facts } from '../../components/facts.js';
import { showDone, showWarnings } from '../../components/messages.js';
import { Section } from '../../components/page.js';
import { ScopedButton } from '../../components/scoped-button.js';
import { Time } from '../../components/time.js';
import { SIGNATURE_SNIPPETS } from './signature-snippets.js';
import { WebhookFields } from './webhook-fields.js';
import {
  FILTER_NAMES,
  filterChange,
  formOf,
  headersChange,
  type WebhookForm,
} from './webhook-form.js';
import { useWebhookRefresh, type Webhook } from './webhook-queries.js';

/** The settings of a webhook, and code that verifies its deliveries. */
export function SettingsTab({ webhook }: { webhook: Webhook }) {
  return (
    <>
      <Section title="Settings">
        <SettingsForm webhook={webhook} />
      </Section>
      <Section title="Verify a signature">
        <Stack>
          <Text size="sm">
            Verify signatures before you trust a request. Deliveries follow{' '}
            <Anchor
              href="https://www.standardwebhooks.com"
              rel="noreferrer"
              target="_blank"
              underline="always"
              inherit
            >
              Standard Webhooks
            </Anchor>
            , so its libraries and Svix libraries can verify them.
          </Text>
          <AddressTabs
            label="Verify a signature"
            name="language"
            tabs={SIGNATURE_SNIPPETS.map(({ value, title, text }) => ({
              value,
              title,
              panel: () => (
                <Stack gap="xs">
                  <CodeBlock name={`Verify a signature in ${title}`} text={text} />
                  <div>
                    <CopyButton name="Copy" text={text} />
                  </div>
                </Stack>
              ),
            }))}
          />
        </Stack>
      </Section>
      <Section title="About">
        <Facts
          of={[
            ['ID', <Copyable key="id" name="ID" text={webhook.id} />],
            ['Secret', `ends in ${webhook.secretPreview}`],
            ['Created', <Time key="created" at={webhook.createdAt} />],
            ['Last edited', <Time key="changed" at={webhook.updatedAt} />],
          ]}
        />
      </Section>
    </>
  );
}

function SettingsForm({ webhook }: { webhook: Webhook }) {
  const { api, may } = useAccount();
  const refresh = useWebhookRefresh();
  const [changes, setChanges] = useState<Partial<WebhookForm>>({});
  const form = { ...formOf(webhook), ...changes };
  const isChanged = JSON.stringify(form) !== JSON.stringify(formOf(webhook));
  const save = useMutation({
    mutationFn: () => {
      const { url, events, payload, description, headers } = changes;
      const isFiltered = FILTER_NAMES.some((name) => changes[name] !== undefined);
      const body = {
        ...(url !== undefined && { url }),
        ...(events && { events }),
        ...(payload && { payload }),
        ...(description !== undefined && { description: description === '' ? null : description }),
        ...(headers !== undefined && { headers: headersChange(formOf(webhook).headers, headers) }),
        ...(isFiltered && { filter: filterChange(formOf(webhook), form) }),
      };
      return bodyOf(api.PATCH('/v1/webhooks/{id}', { params: { path: { id: webhook.id } }, body }));
    },
    onSuccess: async ({ meta }) => {
      showDone('Saved');
      showWarnings(meta.warnings);
      await refresh();
      setChanges({});
    },
  });
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <Stack>
        <WebhookFields
          form={form}
          error={save.error}
          disabled={!may('webhooks:write')}
          onChange={(more) => {
            setChanges((before) => ({ ...before, ...more }));
          }}
        />
        {save.error && <FailureAlert error={save.error} />}
        <Group>
          {may('webhooks:write') ? (
            <Button
              type="submit"
              loading={save.isPending}
              disabled={!isChanged || form.events.length === 0}
            >
              Save webhook
            </Button>
          ) : (
            <ScopedButton scope="webhooks:write" onClick={() => undefined}>
              Save webhook
            </ScopedButton>
          )}
        </Group>
      </Stack>
      <AskBeforeLeaving isChanged={isChanged} what="this webhook" />
    </form>
  );
}
