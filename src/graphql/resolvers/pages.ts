/** Loads the page of a connection inside another object. See docs/graphql.md#pagination. */
import type { InputProblem } from '../../core/problem.ts'
import type { Page } from '../../operations/ports/pages.ts'
import { cursorProblem, type PageInput, pageRequest } from '../../operations/read-page.ts'
import { badArguments } from '../errors.ts'
import type { PageLoader } from '../loaders.ts'
import { presentInputProblem } from '../presenters/typed.ts'

/** Throws an error with all faults of the arguments. */
export async function loadPage<Node>(
  loader: PageLoader<Node>,
  ownerId: string,
  position: PageInput,
): Promise<Page<Node>> {
  const request = pageRequest(position)
  if ('kind' in request) throw refused(request)
  const page = await loader.load({ ownerId, request })
  if (page.kind === 'InvalidCursor') throw refused(cursorProblem(page, request))
  return page
}

function refused(problem: InputProblem): Error {
  return badArguments(presentInputProblem(problem).fields)
}
