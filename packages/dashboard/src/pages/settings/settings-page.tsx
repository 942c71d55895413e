import { Tabs } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { useAccount } from '../../api/session.js';
import { Page } from '../../components/page.js';
import { LoadingLines } from '../../components/page-loading.js';
import { loadPart } from '../../load-part.js';
import { useSearchState } from '../../search-state.js';
import { AccountTab } from './account-tab.js';
import { AnalysisTab } from './analysis-tab.js';
import { DictionaryTab } from './dictionary-tab.js';
import { StyleRulesTab } from './style-rules-tab.js';

const PublishingTab = lazy(() => loadPart(() => import('./publishing-tab.js')));
const RulesTab = lazy(() => loadPart(() => import('./rules-tab.js')));

/** The first tab is shown if the URL names none. */
const TABS = [
  ['account', 'Account', AccountTab],
  ['publishing', 'Publishing', PublishingTab],
  ['style-rules', 'Style rules', StyleRulesTab],
  ['dictionary', 'Dictionary', DictionaryTab],
  ['analysis', 'Analysis', AnalysisTab],
  ['rules', 'Rules', RulesTab],
] as const;

export function SettingsPage() {
  const { name } = useAccount();
  const [{ tab }, change] = useSearchState();
  const current = TABS.find(([id]) => id === tab) ?? TABS[0];
  return (
    <Page title="Settings" sentence={`Settings for everyone in ${name}.`}>
      <Tabs
        value={current[0]}
        keepMounted={false}
        onChange={(id) => {
          // What is open belongs to the tab that is left.
          change({
            tab: id === null || id === TABS[0][0] ? undefined : id,
            ...{ open: undefined, edit: undefined, dryRun: undefined, search: undefined },
            ...{ category: undefined, state: undefined },
          });
        }}
      >
        <Tabs.List mb="lg">
          {TABS.map(([id, title]) => (
            <Tabs.Tab key={id} value={id}>
              {title}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {TABS.map(([id, , Content]) => (
          <Tabs.Panel key={id} value={id}>
            <Suspense fallback={<LoadingLines rows={4} height={28} />}>
              <Content />
            </Suspense>
          </Tabs.Panel>
        ))}
      </Tabs>
    </Page>
  );
}
