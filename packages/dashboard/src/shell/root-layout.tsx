import { Outlet } from '@tanstack/react-router';
import { OutageBanner } from './outage-banner.js';

export function RootLayout() {
  return (
    <>
      <OutageBanner />
      <Outlet />
    </>
  );
}
