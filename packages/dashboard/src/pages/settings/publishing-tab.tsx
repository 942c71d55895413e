import '@mantine/core/styles/Switch.layer.css';
import { Checkbox, Group, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { usePublishing, type PublishingSettings } from '../../api/publishing.js';
import { every } from '../../api/queries.js';
import { useAccount } from '../../api/session.js';
import { ButtonLink } from '../../components/button-link.js';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import type { CloseDialog } from '../../components/dialog.js';
import { FailureAlert } from '../../components/failure-alert.js';
import { showDone, showFailure } from '../../components/messages.js';
import { Section } from '../../components/page.js';
import { LoadingLines } from '../../components/page-loading.js';
import { useDialogs } from '../../components/use-dialogs.js';
import { Form } from '../people/form.js';
import { problemOf } from '../people/person-fields.js';
import { PublicationRulesForm } from './publication-rules-form.js';
import { putSettings, useSaved, type SettingsProps } from './publishing-settings.js';

/** Interval of requests while the service adds or removes published versions, in ms. */
const UNSETTLED_INTERVAL = 2_000;
const MAX_CACHE_SECONDS = 86_400;

/** What readers of published documents get. */
export default function PublishingTab() {
  const settings = usePublishing({
    refetchInterval: (query) =>
      every(query.state.data?.settled === false && UNSETTLED_INTERVAL)(query as never),
  });
  const { role } = useAccount();
  const dialogs = useDialogs();
  if (!settings.data) {
    return settings.error ? (
      <FailureAlert error={settings.error} onRetry={() => void settings.refetch()} />
    ) : (
      <LoadingLines rows={5} height={28} />
    );
  }
  const mayChange = role === 'owner' || role === 'admin';
  const { data } = settings;
  return (
    <>
      <Section title="Publishing">
        <Stack>
          <PublishingSwitch settings={data} mayChange={mayChange} />
          {!mayChange && (
            <Text size="sm" c="dimmed">
              Only owners and admins can change this. Your role is {role}.
            </Text>
          )}
        </Stack>
      </Section>
      {data.enabled && (
        <>
          <Section title="Rules">
            <PublicationRulesForm settings={data} mayChange={mayChange} />
          </Section>
          <Section title="Caching">
            <CacheForm settings={data} mayChange={mayChange} />
          </Section>
          {mayChange && <WebsiteKey />}
        </>
      )}
      {dialogs.dialog === 'turn-off-publishing' && data.enabled && mayChange && (
        <TurnOff settings={data} onClose={dialogs.close} />
      )}
    </>
  );
}

/** Turns publishing on at once, and asks before it turns it off. */
function PublishingSwitch({ settings, mayChange }: SettingsProps) {
  const { api } = useAccount();
  const saved = useSaved();
  const dialogs = useDialogs();
  const { enabled, settled } = settings;
  const turnOn = useMutation({
    mutationFn: () => putSettings(api, { ...settings, enabled: true }),
    onSuccess: saved,
    onError: showFailure,
  });
  return (
    <>
      <Switch
        label="Publish versions of documents"
        description="Readers get the version that you publish, and you go on writing. Documents with the status Published get their current version as published version."
        checked={enabled}
        disabled={!mayChange || turnOn.isPending}
        onChange={() => {
          if (enabled) dialogs.open('turn-off-publishing');
          else turnOn.mutate();
        }}
      />
      <Text size="sm" role="status">
        {!settled && `Publishing is being turned ${enabled ? 'on' : 'off'}…`}
      </Text>
    </>
  );
}

function TurnOff({ settings, onClose }: { settings: PublishingSettings; onClose: CloseDialog }) {
  const { api } = useAccount();
  const saved = useSaved();
  return (
    <ConfirmDialog
      title="Turn off publishing"
      scope="documents:read"
      isDangerous
      run={() => putSettings(api, { ...settings, enabled: false })}
      onDone={async (changed) => {
        await onClose();
        saved(changed);
      }}
      onClose={onClose}
    >
      Published versions are removed, and websites that read them get errors. Documents keep their
      status and their current text. If you turn publishing on again, readers get the current texts,
      with all unpublished changes.
    </ConfirmDialog>
  );
}

/** How long websites may show a version after another one was published. */
function CacheForm({ settings, mayChange }: SettingsProps) {
  const { api } = useAccount();
  const saved = useSaved();
  const [seconds, setSeconds] = useState(String(settings.cacheSeconds));
  const [isShared, setShared] = useState(settings.sharedCache);
  const cacheSeconds = Number(seconds);
  const isValid = /^\d+$/.test(seconds.trim()) && cacheSeconds <= MAX_CACHE_SECONDS;
  const isSame = cacheSeconds === settings.cacheSeconds && isShared === settings.sharedCache;
  const save = useMutation({
    mutationFn: () => putSettings(api, { ...settings, cacheSeconds, sharedCache: isShared }),
    onSuccess: (changed) => {
      saved(changed);
      showDone('Cache settings saved.');
    },
  });
  return (
    <Form
      submit="Save cache settings"
      submission={save}
      disabled={!isValid || isSame || !mayChange}
      onSubmit={() => {
        save.mutate();
      }}
    >
      <TextInput
        label="Cache time, in seconds"
        description="How long browsers may show a version before they ask for a newer one. 0 asks each time."
        inputMode="numeric"
        maw={420}
        disabled={!mayChange}
        value={seconds}
        error={isValid ? problemOf(save.error, 'cacheSeconds') : 'Enter a number from 0 to 86400.'}
        onChange={({ currentTarget }) => {
          setSeconds(currentTarget.value);
        }}
      />
      <Checkbox
        label="Shared caches may store responses"
        description="Such as a CDN in front of your website. Only for texts that everyone may read."
        checked={isShared}
        disabled={!mayChange}
        onChange={({ currentTarget }) => {
          setShared(currentTarget.checked);
        }}
      />
    </Form>
  );
}

function WebsiteKey() {
  return (
    <Section title="Website">
      <Stack>
        <Text size="sm">
          A website needs an API key that reads published versions and nothing else.
        </Text>
        <Group>
          <ButtonLink
            size="sm"
            variant="default"
            to="/{-$accountId}/keys"
            search={{ dialog: 'create-key', of: 'documents:read_published' } as never}
          >
            Create website key
          </ButtonLink>
        </Group>
      </Stack>
    </Section>
  );
}
