/** Starts the page. */
import '@fontsource-variable/instrument-sans'
import './shop.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Shop } from './shop.tsx'
import { queryClient } from './waybill.ts'

const root = document.getElementById('root')
if (root !== null)
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <Shop />
      </QueryClientProvider>
    </StrictMode>,
  )
