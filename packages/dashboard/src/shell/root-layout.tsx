import { Outlet } from '@tanstack/react-router';
import { AwayBanner } from './away-banner.js';

export function RootLayout() {
  return (
    <>
      <AwayBanner />
      <Outlet />
    </>
  );
}
