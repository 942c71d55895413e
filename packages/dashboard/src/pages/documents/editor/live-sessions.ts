/** Time for other tabs to report their sessions, in ms. */
const REPLY_TIMEOUT = 300;

/** Sessions of this tab. Other tabs must not continue their drafts. */
const ours = new Set<string>();
const channel = new BroadcastChannel('document-sessions');

interface Message {
  ask?: string[];
  live?: string[];
}

channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
  const live = data.ask?.filter((id) => ours.has(id)) ?? [];
  if (live.length > 0) channel.postMessage({ live } satisfies Message);
});

export function addLive(sessionId: string): void {
  ours.add(sessionId);
}

export function removeLive(sessionId: string): void {
  ours.delete(sessionId);
}

/** Returns the sessions that are open in this tab or another one. */
export async function liveSessions(sessionIds: string[]): Promise<Set<string>> {
  const live = new Set(sessionIds.filter((id) => ours.has(id)));
  if (live.size === sessionIds.length) return live;
  const hear = ({ data }: MessageEvent<Message>) => {
    for (const id of data.live ?? []) live.add(id);
  };
  channel.addEventListener('message', hear);
  channel.postMessage({ ask: sessionIds } satisfies Message);
  await new Promise((resolve) => setTimeout(resolve, REPLY_TIMEOUT));
  channel.removeEventListener('message', hear);
  return live;
}
