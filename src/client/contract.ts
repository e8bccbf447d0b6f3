/** Generated from openapi.yaml by `npm run openapi`. Do not edit by hand. */

export interface paths {
    "/v1/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List runs, newest first
         * @description Runs that were created by a request; subagents stand under their parent. All filters must hold; `metadata.<key>=<value>` asks for one pair of the metadata. A request with filters reads 200,000 runs at the most, so a page may hold less than `limit` while `has_more` is true: its cursor goes on from there.
         */
        get: operations["listRuns"];
        put?: never;
        /**
         * Create a run
         * @description Answers 202 once the run is durable. `Prefer: wait=N` (seconds, at most 60) answers 200 if it ends in time. `Accept: text/event-stream` streams it from its first event. In a session whose run asks the user, the input is the answer, and no run is created.
         */
        post: operations["createRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a run and everything below it
         * @description After the answer no new effect starts. Waits up to 2 seconds for the end. Cancelling twice, or what has ended, changes nothing.
         */
        post: operations["cancelRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look at a run
         * @description `wait` holds the answer until the run has ended, so long at the most.
         */
        get: operations["getRun"];
        put?: never;
        post?: never;
        /**
         * Delete a run that has ended
         * @description With everything below it: logs, transcripts, workspaces. Texts stored by digest stay, because others may share them; so do sessions, deliveries and the audit. 409 while it lives, and for what another run or a fan-out has started. A request that is repeated under the Idempotency-Key which made it is then answered with 410.
         */
        delete: operations["deleteRun"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{id}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a message to a live run
         * @description It enters the transcript once, before the next model call; one that comes during a call enters after it. 409 when the run has ended.
         */
        post: operations["sendRunMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{id}/children/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a run's subagents; the run goes on
         * @description Those that live and those that it has asked for. One alone is cancelled by `POST /v1/runs/{id}/cancel` with its own id.
         */
        post: operations["cancelRunChildren"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{id}/children": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a run's subagents
         * @description Its direct subagents, newest first; those further below stand under their own parents.
         */
        get: operations["listRunChildren"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{id}/config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The configuration of a run
         * @description Fixed when it started: prompt, tools, servers, skills, agents, layers, their digests, and what it lacks and why. 409 for a run that has not started.
         */
        get: operations["getRunConfig"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{id}/tree": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A run with all below it
         * @description The run, its subagents, theirs and so on, as they stand now, each as `GET /v1/runs/{id}` shows it.
         */
        get: operations["getRunTree"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A run's events
         * @description With `Accept: text/event-stream` they are sent as they happen; `Last-Event-ID` (or `after`; the header wins) resumes after that seq. After the terminal event the stream closes, and a reconnect is answered with 204. One that is parked is asked by `retry:` to come again. `include=subagents` (streams only) sends those of subagents too: its ids are opaque, and who resumes may get events of live subagents again, known by (run, seq); the terminal event is the last of the tree, sent when those cancelled with it have ended. Besides the events there are `assistant.delta` and `subagent.started`, without an id. Without that `Accept`, a JSON page; the next one by its `next_cursor`.
         */
        get: operations["listRunEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/fanouts/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A fan-out's events
         * @description With `Accept: text/event-stream` they are sent as they happen; `Last-Event-ID` (or `after`; the header wins) resumes after that seq. After the terminal event the stream closes, and a reconnect is answered with 204. One that is parked is asked by `retry:` to come again. `include=subagents` (streams only) sends those of subagents too: its ids are opaque, and who resumes may get events of live subagents again, known by (run, seq); the terminal event is the last of the tree, sent when those cancelled with it have ended. Besides the events there are `assistant.delta` and `subagent.started`, without an id. Without that `Accept`, a JSON page; the next one by its `next_cursor`.
         */
        get: operations["listFanoutEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{id}/transcript": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A run's transcript
         * @description All of it, in order; results of subagents stand where they entered.
         */
        get: operations["getRunTranscript"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{id}/media/{digest}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A picture, sound or file of a transcript
         * @description Its bytes, as the model was shown them, for as long as the run is kept.
         */
        get: operations["getRunMedia"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/downloads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a file by its link
         * @description The link of an attachment of a run. It needs no API key; after its time it is refused.
         */
        get: operations["downloadFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/fanouts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List fan-outs, newest first
         * @description Without their results, which `GET /v1/fanouts/{id}` and its tasks have.
         */
        get: operations["listFanouts"];
        put?: never;
        /**
         * Start many tasks at once
         * @description Answers 202 once the fan-out is durable. Each task becomes a run; a bounded number of them live at a time, and the next is created as one ends.
         */
        post: operations["createFanout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/fanouts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look at a fan-out and the results so far
         * @description `wait` holds the answer until it has ended, so long at the most.
         */
        get: operations["getFanout"];
        put?: never;
        post?: never;
        /**
         * Delete a fan-out that has ended
         * @description With everything below it: logs, transcripts, workspaces. Texts stored by digest stay, because others may share them; so do sessions, deliveries and the audit. 409 while it lives, and for what another run or a fan-out has started. A request that is repeated under the Idempotency-Key which made it is then answered with 410.
         */
        delete: operations["deleteFanout"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/fanouts/{id}/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tasks of a fan-out and what came of them
         * @description In the order of their indices; those of pages that have come.
         */
        get: operations["listFanoutTasks"];
        put?: never;
        /**
         * Hand a page of tasks to an open fan-out
         * @description Answers 202 once the page is durable; its tasks begin as places are free. A page is known by its number: handed in again it is the same page, with other tasks it is refused (409). Pages may come in any order, and from several callers.
         */
        post: operations["addFanoutTasks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/fanouts/{id}/seal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say that all pages of an open fan-out have come
         * @description Then it ends when all its tasks have. 409 while pages are missing, which are named; sealing twice changes nothing.
         */
        post: operations["sealFanout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/fanouts/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a fan-out and everything below it
         * @description After the answer no new task starts. Waits up to 2 seconds for the end. Cancelling twice, or what has ended, changes nothing.
         */
        post: operations["cancelFanout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resolve layers
         * @description The configuration of a run with these layers, where each entry came from and what it hid, and one record per file. Changes nothing.
         */
        post: operations["resolveLayers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/resolve/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Compare two resolved configs
         * @description Each side is an input of `/v1/resolve`, or the `config_digest` of a run or of a resolve.
         */
        post: operations["diffResolved"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runtime/reload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read all configuration anew
         * @description Drops cached files and tool lists. Runs under way keep what they have.
         */
        post: operations["reloadRuntime"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/layers/migrate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rewrite older layouts of a layer
         * @description A dry run unless `dry_run` is false; what `.agents/` has is left alone.
         */
        post: operations["migrateLayer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/skills": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the skills of a layer
         * @description Those that lie in this one layer, disabled ones too unless they are left out; `POST /v1/resolve` says what a run would have.
         */
        get: operations["listSkills"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/skills/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a skill
         * @description As it lies in this one layer, with its files, and what would be found wrong with it. The etag is for `If-Match`.
         */
        get: operations["getSkill"];
        /**
         * Write a skill's SKILL.md
         * @description Creates or replaces the file; other files of the skill stay. `If-Match` replaces only what was read. The version before can be restored.
         */
        put: operations["putSkill"];
        post?: never;
        /**
         * Delete a skill with all its files
         * @description Removes its directory from this one layer. A rollback to one of its versions brings it back.
         */
        delete: operations["deleteSkill"];
        options?: never;
        head?: never;
        /**
         * Switch a skill on or off
         * @description A skill that is off stays where it is, and no run is offered it.
         */
        patch: operations["setSkillEnabled"];
        trace?: never;
    };
    "/v1/skills/{name}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Versions of a skill
         * @description Every change of it in this one layer: who made it, when, and which files a rollback restores.
         */
        get: operations["listSkillVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/skills/{name}/versions/{version}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a version of a skill
         * @description With the text of each file that a rollback to it restores.
         */
        get: operations["getSkillVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/skills/{name}/versions/{version}/compare": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compare a version of a skill
         * @description With what lies there now, or with another version: before a rollback.
         */
        get: operations["compareSkillVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/skills/{name}/rollback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a version of a skill
         * @description Writes the files of that version again, as a new version. 409 when that version is a delete.
         */
        post: operations["rollbackSkill"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the agents of a layer
         * @description Those that lie in this one layer, whether they load or not; `POST /v1/resolve` says what a run would have.
         */
        get: operations["listAgents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an agent
         * @description As it lies in this one layer, with what would be found wrong with it. The etag is for `If-Match`.
         */
        get: operations["getAgent"];
        /**
         * Write an agent's file
         * @description Creates or replaces the file. `If-Match` replaces only what was read. The version before can be restored.
         */
        put: operations["putAgent"];
        post?: never;
        /**
         * Delete an agent
         * @description Removes its file from this one layer. A rollback to one of its versions brings it back.
         */
        delete: operations["deleteAgent"];
        options?: never;
        head?: never;
        /**
         * Change some fields of an agent's file
         * @description Changes these fields where they stand and keeps every comment; what is not named stays as it is, null removes a field.
         */
        patch: operations["updateAgent"];
        trace?: never;
    };
    "/v1/agents/{name}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Versions of an agent
         * @description Every change of it in this one layer: who made it, when, and which files a rollback restores.
         */
        get: operations["listAgentVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{name}/versions/{version}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a version of an agent
         * @description With the text of each file that a rollback to it restores.
         */
        get: operations["getAgentVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{name}/versions/{version}/compare": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compare a version of an agent
         * @description With what lies there now, or with another version: before a rollback.
         */
        get: operations["compareAgentVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{name}/rollback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a version of an agent
         * @description Writes the files of that version again, as a new version. 409 when that version is a delete.
         */
        post: operations["rollbackAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp-servers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the MCP servers of a layer
         * @description Those that are defined in this one layer; values of secrets are hidden. `POST /v1/resolve` says what a run would have.
         */
        get: operations["listMcpServers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp-servers/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an MCP server
         * @description As it is defined in this one layer; values of secrets are hidden. The etag is for `If-Match`.
         */
        get: operations["getMcpServer"];
        /**
         * Write an MCP server
         * @description Creates or replaces its table in the layer's configuration file; all else in the file stays as it is, comments too.
         */
        put: operations["putMcpServer"];
        post?: never;
        /**
         * Delete an MCP server
         * @description Removes its table from the layer's configuration file. A rollback to one of its versions brings it back.
         */
        delete: operations["deleteMcpServer"];
        options?: never;
        head?: never;
        /**
         * Change some fields of an MCP server
         * @description Changes these fields where they stand and keeps every comment; what is not named stays as it is, null removes.
         */
        patch: operations["updateMcpServer"];
        trace?: never;
    };
    "/v1/mcp-servers/{name}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Versions of an MCP server
         * @description Every change of it in this one layer: who made it, when, and which files a rollback restores.
         */
        get: operations["listMcpServerVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp-servers/{name}/versions/{version}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a version of an MCP server
         * @description With the text of each file that a rollback to it restores.
         */
        get: operations["getMcpServerVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp-servers/{name}/versions/{version}/compare": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compare a version of an MCP server
         * @description With what lies there now, or with another version: before a rollback.
         */
        get: operations["compareMcpServerVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp-servers/{name}/rollback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a version of an MCP server
         * @description Writes the files of that version again, as a new version. 409 when that version is a delete.
         */
        post: operations["rollbackMcpServer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp-servers/{name}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try an MCP server
         * @description Connects anew and lists its tools, enabled or not, without changing anything.
         */
        post: operations["testMcpServer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp-servers/{name}/authorization": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Authorize an MCP server (OAuth)
         * @description Answers a link that a person opens within ten minutes; it counts once, and a new one replaces it. The browser comes back to `redirect_uri`, the token is kept sealed, and runs that start afterwards have the server. `STRATA_PUBLIC_URL` says where this deployment is reached, when that is not the address of this request.
         */
        post: operations["authorizeMcpServer"];
        /**
         * Forget the authorization of an MCP server
         * @description Drops its tokens here, and revokes them at the authorization server where that can be. Calls under way may still be made with them.
         */
        delete: operations["forgetMcpServerAuthorization"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/oauth/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The answer to a link
         * @description No API key: a browser comes here from the authorization server. `state` says which tenant and server are meant; it is sealed and counts once.
         */
        get: operations["finishAuthorization"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/policy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the policy
         * @description The limits that the tenant sets to all its layers. `PUT` needs its etag.
         */
        get: operations["getPolicy"];
        /**
         * Replace the policy
         * @description Needs `If-Match` with the etag that was read: 428 without, 412 when it changed.
         */
        put: operations["putPolicy"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List recorded changes, newest first
         * @description Skills, agents, MCP servers, files, the policy, endpoints and hooks; decisions, cancels, replays and deletions.
         */
        get: operations["listAuditEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mcp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The API as an MCP server
         * @description Streamable HTTP, stateless. Tools are the operations that the other routes have, with the same parameters, results and scopes: management, runs (`runs_create`, `runs_send`, `runs_cancel`), approvals. With a progress token the events of a run are notified while a call waits for it; in revision 2025-11-25 a run is a task with the id of the run. Resources are transcripts (`strata://runs/{id}/transcript`) and files (`strata://files/{path}`), prompts are the skills of the base layer. Errors are JSON-RPC errors.
         */
        post: operations["callMcp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List files
         * @description Of all layers and workspaces, by the beginning of their paths.
         */
        get: operations["listFiles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/files/{path}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a file
         * @description As it was written, whatever it holds. Its etag is for `If-Match` and `If-None-Match`.
         */
        get: operations["getFile"];
        /**
         * Write a file
         * @description `If-Match` replaces only what was read; `If-None-Match: *` only creates.
         */
        put: operations["putFile"];
        post?: never;
        /**
         * Delete a file
         * @description `If-Match` deletes only what was read. A file that is not there is gone already: 204.
         */
        delete: operations["deleteFile"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search memory
         * @description Passages by words, their beginnings and typing errors, and by parts of Chinese and Japanese text. What has changed is read first; `stale` says when not all of it was.
         */
        get: operations["searchMemory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The state of the index
         * @description Files, passages, and whether the index knows the files as they are.
         */
        get: operations["getMemoryStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/rebuild": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make the index anew
         * @description The index holds nothing that is not in the files, and the result of every search is the same afterwards. One call reads 800 files; `stale: true` says that more are left.
         */
        post: operations["rebuildMemory"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Versions of a file of memory
         * @description What was replaced or deleted. Entries that are added lose nothing and make no version.
         */
        get: operations["listMemoryVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/versions/{version}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a version of a file of memory
         * @description With its text, to be written again.
         */
        get: operations["getMemoryVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List files of memory
         * @description Markdown files of all memories of the tenant, by path.
         */
        get: operations["listMemory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memory/{path}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a file of memory
         * @description The whole of it, or some of its lines.
         */
        get: operations["getMemory"];
        /**
         * Write a file of memory
         * @description The whole file; what it replaces is kept as a version. Values of secrets are taken out.
         */
        put: operations["putMemory"];
        /**
         * Add entries to a file of memory
         * @description List items, paragraphs and fenced blocks, each under its heading. What is there already is left, so the same request may be repeated.
         */
        post: operations["appendMemory"];
        /**
         * Delete a file of memory
         * @description A version keeps it; no search finds it any more.
         */
        delete: operations["deleteMemory"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys, newest first
         * @description Keys that were made before keys were listed are not among them.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Make an API key
         * @description Its text is shown once and kept nowhere: a repeated request is not shown it again, so who has lost it revokes the key.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look at an API key
         * @description Without its text, which is kept nowhere.
         */
        get: operations["getApiKey"];
        put?: never;
        post?: never;
        /**
         * Revoke an API key
         * @description A key does not revoke itself. In other processes it counts from at most 30 seconds later on.
         */
        delete: operations["revokeApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace an API key
         * @description A new key with the same name, scopes and end; the old one goes on for a while. In other processes it counts from at most 30 seconds later on.
         */
        post: operations["rotateApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List endpoints, newest first
         * @description With their health; secrets are never shown again.
         */
        get: operations["listWebhookEndpoints"];
        put?: never;
        /**
         * Create an endpoint
         * @description It gets the events from now on, in the clouds from at most 30 seconds later on.
         */
        post: operations["createWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-endpoints/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look at an endpoint
         * @description With its health: since when it fails, and why it was disabled. The etag is for `If-Match`.
         */
        get: operations["getWebhookEndpoint"];
        put?: never;
        post?: never;
        /**
         * Delete an endpoint
         * @description Deliveries on their way to it are dropped.
         */
        delete: operations["deleteWebhookEndpoint"];
        options?: never;
        head?: never;
        /**
         * Change an endpoint
         * @description Omitted members stay. Counts for every attempt from now on.
         */
        patch: operations["updateWebhookEndpoint"];
        trace?: never;
    };
    "/v1/webhook-endpoints/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a new secret
         * @description It signs first; the one before signs along for 24 hours. Shown once.
         */
        post: operations["rotateWebhookEndpointSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-endpoints/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event
         * @description Of type `endpoint.test`, with `test: true`. Follow it as a delivery.
         */
        post: operations["testWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deliveries, newest first
         * @description Kept for 30 days after the last attempt.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-deliveries/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look at a delivery
         * @description With every attempt, and how the last answer began.
         */
        get: operations["getWebhookDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-deliveries/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a delivery again
         * @description Under the same `webhook-id`, with ten attempts as at first. 409 while it is on its way.
         */
        post: operations["replayWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-deliveries/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a range of deliveries again
         * @description Those of one status, created between two times, newest first; by default all that were given up. A request handles up to 500 of them; go on with `next_cursor`.
         */
        post: operations["replayWebhookDeliveries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/hooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List hooks, newest first
         * @description Without their secrets, which are never shown again.
         */
        get: operations["listHooks"];
        put?: never;
        /**
         * Create a hook
         * @description A sender that signs with its secret can start the run that it describes, no other.
         */
        post: operations["createHook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/hooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look at a hook
         * @description Without its secret. The etag is for `If-Match`.
         */
        get: operations["getHook"];
        put?: never;
        /**
         * Send to a hook
         * @description No API key: the signature over the raw bytes counts. 202 once the run is durable; the same message again, within 24 hours, is 200 with the run it has started. What is in the payload is data: agent, tools and session are the ones of the hook. A webhook of ours that has come back through 8 hooks starts no run: 422 `hook_loop`.
         */
        post: operations["receiveHook"];
        /**
         * Delete a hook
         * @description Runs that it has started go on.
         */
        delete: operations["deleteHook"];
        options?: never;
        head?: never;
        /**
         * Change a hook
         * @description Omitted members stay, null takes a field away. Counts for every message from now on; its address and its secret stay.
         */
        patch: operations["updateHook"];
        trace?: never;
    };
    "/v1/hooks/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchange the secret
         * @description The new one, sent or made by us and shown once, is believed from now on; the one before for 24 hours more.
         */
        post: operations["rotateHookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List sessions, newest first
         * @description Every conversation: those that were created, and own sessions of runs, whether or not anybody went on with them. Own sessions of subagents stand here once somebody did. A page may hold less than `limit` while `has_more` is true.
         */
        get: operations["listSessions"];
        put?: never;
        /**
         * Create a session
         * @description A run without `session_id` has one of its own, which later runs may go on with.
         */
        post: operations["createSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look at a session
         * @description `wait` holds the answer until no run is in it, so long at the most.
         */
        get: operations["getSession"];
        put?: never;
        post?: never;
        /**
         * Delete a session
         * @description Cancels what lives in it. Its runs can still be looked at.
         */
        delete: operations["deleteSession"];
        options?: never;
        head?: never;
        /**
         * Rename a session, put it away, say how long it is kept
         * @description With `If-Match` only as it was read: 412 when somebody has changed it since.
         */
        patch: operations["updateSession"];
        trace?: never;
    };
    "/v1/sessions/{id}/fork": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Go on from a message in a new session
         * @description The new session has a copy of the conversation up to this message; this one stays as it is. At most 256 segments of 64 KB are copied: 413 above.
         */
        post: operations["forkSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{id}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A session's transcript
         * @description The conversation of the runs that have ended.
         */
        get: operations["listSessionMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{id}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A session's runs
         * @description In the order in which they ended, then the one that has the turn and those that wait. A page may hold less than `limit` while `has_more` is true: runs that are kept no longer.
         */
        get: operations["listSessionRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{id}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A session's transcript as a file
         * @description The whole conversation of the runs that have ended, oldest first: a JSON message in each line, as its list shows them, or Markdown for people.
         */
        get: operations["exportSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/schedules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List schedules, newest first
         * @description Those that are over are kept for 30 days.
         */
        get: operations["listSchedules"];
        put?: never;
        /**
         * Create a schedule
         * @description Each slot starts one run, named by it: whatever ticks twice, it is one.
         */
        post: operations["createSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/schedules/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look at a schedule
         * @description With its next slots. The etag is for `If-Match`.
         */
        get: operations["getSchedule"];
        /**
         * Write a schedule
         * @description The schedule of this name is this, from the next slot on. The same again changes nothing, so deploying twice makes one.
         */
        put: operations["putSchedule"];
        post?: never;
        /**
         * Delete a schedule
         * @description Runs that it has started go on; it starts no more.
         */
        delete: operations["deleteSchedule"];
        options?: never;
        head?: never;
        /**
         * Change a schedule
         * @description Omitted members stay. Counts from the next slot on; runs go on as they are.
         */
        patch: operations["updateSchedule"];
        trace?: never;
    };
    "/v1/schedules/{name}/source": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Switch on the schedule of a file
         * @description The schedule of this name is what `.agents/schedules/<file>.md` of these layers says, now and after each edit: it is read when a slot is due, every 300 s and by this request. `DELETE /v1/schedules/{name}` switches it off.
         */
        put: operations["putScheduleSource"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/schedules/{name}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause a schedule
         * @description What is due meanwhile is not caught up with. Runs under way go on.
         */
        post: operations["pauseSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/schedules/{name}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a schedule
         * @description Counts from now on; failures before are forgotten.
         */
        post: operations["resumeSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/schedules/{name}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a schedule now
         * @description Also while it is paused. A run under way counts as `overlap` says: with `skip` it is 409.
         */
        post: operations["runSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/schedules/{name}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What became of its slots, newest first
         * @description Runs, and slots that were skipped or missed with the reason; for 30 days.
         */
        get: operations["listScheduleRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/approvals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List approvals, newest first
         * @description Those of subagents at any depth are here too, with the path from the root.
         */
        get: operations["listApprovals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/approvals/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look at an approval
         * @description The call, the rule that asks, the deadline, and the decision.
         */
        get: operations["getApproval"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/approvals/{id}/decision": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decide
         * @description The first decision wins. The same again changes nothing (200), a different one is a conflict (409), a late one is refused (410).
         */
        post: operations["decideApproval"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Built-in tools
         * @description Tools of MCP servers are found by resolving layers.
         */
        get: operations["listTools"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Limits
         * @description Every number that refuses, shortens or ends something, so that callers need not try.
         */
        get: operations["listLimits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the process answers
         * @description Says that the process answers, and nothing of its storage. No key is needed.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether requests can be served
         * @description Reads the store and the bucket, at most once a second in each process; 503 names what did not answer within three seconds. No key is needed. `clock` says whether runs that were lost are found again; a load balancer does not ask for `clock_within`, because no process answers better when the clock stands still.
         */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Numbers of this process
         * @description In the text format of Prometheus; a Node server alone has them. They are about all tenants together, so a key of the default tenant is needed, or `METRICS_OPEN=true`.
         */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Models and aliases
         * @description All models that this deployment knows of its providers, with what is known of each, and the aliases of the tenant and of the deployment. Nothing is asked of a provider. The agents of the base layer stand among them as `agent/<name>`, for clients that choose by model (`POST /v1/responses`); a run names them as its `agent`.
         */
        get: operations["listModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/responses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a response (OpenAI)
         * @description A run in the words of OpenAI, with the same limits and policy: `resp_x` is `run_x`. Waits up to ten minutes for its end; `background` answers at once, `stream` sends its events. `completed` with a `function_call`: the run waits for your functions; send all their outputs with `previous_response_id`, and the same run goes on as `resp_x_1`. A question to the user ends a response, too, and the next input answers it. Refusals have a member `error` as OpenAI has it.
         */
        post: operations["createResponse"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/responses/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look at a response (OpenAI)
         * @description As it stands. `stream=true` sends its events, those after `starting_after` alone: their numbers are the same in every stream; a text that has gone by comes as one piece.
         */
        get: operations["getResponse"];
        put?: never;
        post?: never;
        /**
         * Delete a response that has ended (OpenAI)
         * @description Deletes its run with everything below it. 409 while it lives.
         */
        delete: operations["deleteResponse"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/responses/{id}/input_items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What a response answers (OpenAI)
         * @description Messages, and outputs of your functions. The conversation before is not among them.
         */
        get: operations["listResponseInputItems"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/responses/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a response (OpenAI)
         * @description Cancels the run and everything below it, as `POST /v1/runs/{id}/cancel` does. A response that has ended stays as it is; a run that waits for your functions ends all the same.
         */
        post: operations["cancelResponse"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chat/completions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a chat completion (OpenAI)
         * @description A run whose input is the list of messages. The words of system and developer follow the prompt of the agent; calls and results of older turns stand in the input as marked texts. Where the last messages are results of calls of ours, the run that waits for them goes on, and the messages before are not read again. The run is durable: `chatcmpl-x` is `run_x`. Refusals have a member `error` as OpenAI has it.
         */
        post: operations["createChatCompletion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/agent-card.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The card of this deployment (A2A)
         * @description Needs no key and names no agent of a tenant.
         */
        get: operations["getPublicAgentCard"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/a2a": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A card for each agent (A2A)
         * @description Agents of the base layer, but for those whose file says `internal`.
         */
        get: operations["listAgentCards"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/a2a/{agent}/.well-known/agent-card.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The card of an agent (A2A)
         * @description Where clients look for it below the base URL `/v1/a2a/{agent}/`.
         */
        get: operations["getAgentCard"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/a2a/{agent}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Call an agent (A2A)
         * @description A task is a run, a context its session; `metadata.strata` names the run and the place in its log, which is the id of the server-sent event too. `SendMessage` waits up to ten minutes; `SubscribeToTask` with `Last-Event-ID` goes on where a stream was cut. What is sent changes something only with the scope `runs:write`. A task that waits for an approval is `AUTH_REQUIRED`, and is decided at `/v1/approvals`. Push notifications are webhooks of the run (a `StreamResponse` for each end, approval and question), signed with the `token` as their secret. `totalSize` of `ListTasks` counts the page, and one for all that follows. Members that mean nothing here are refused. Errors are JSON-RPC errors, but for those of key, scope, rate and size.
         */
        post: operations["callAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ag-ui/{agent}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run an agent (AG-UI)
         * @description A turn of the session that belongs to `threadId`, answered with the events of AG-UI. The same `runId` with the same body is the same turn, and with `Last-Event-ID` it goes on where a stream was cut. A call of your tool ends the turn: bring all results as messages of the role `tool`, and the same run goes on, as it began: tools, context and system messages of that request are not read again. A question to the user is an interrupt; `resume`, or the next message of the user, answers it. An approval is told by the event `strata.approval.requested` and decided at `/v1/approvals`; the stream goes on. `metadata.strata` of an event names the run and the place in its log, which is the id of the server-sent event too.
         */
        post: operations["runAgUi"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Tokens and dollars by the day
         * @description Of the runs and fan-outs that are kept, each counted once, with its subagents, on the day on which it was created; those that live count as far as they have come.
         */
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "run.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A webhook of ours: run.completed
         * @description Signed by Standard Webhooks 1.0, in the format that its receiver has chosen. Any 2xx accepts it; 410 disables the endpoint; everything else is tried again.
         */
        post: operations["onRunCompleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "run.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A webhook of ours: run.failed
         * @description Signed by Standard Webhooks 1.0, in the format that its receiver has chosen. Any 2xx accepts it; 410 disables the endpoint; everything else is tried again.
         */
        post: operations["onRunFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "run.cancelled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A webhook of ours: run.cancelled
         * @description Signed by Standard Webhooks 1.0, in the format that its receiver has chosen. Any 2xx accepts it; 410 disables the endpoint; everything else is tried again.
         */
        post: operations["onRunCancelled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "run.timed_out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A webhook of ours: run.timed_out
         * @description Signed by Standard Webhooks 1.0, in the format that its receiver has chosen. Any 2xx accepts it; 410 disables the endpoint; everything else is tried again.
         */
        post: operations["onRunTimedOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "approval.requested": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A webhook of ours: approval.requested
         * @description Signed by Standard Webhooks 1.0, in the format that its receiver has chosen. Any 2xx accepts it; 410 disables the endpoint; everything else is tried again.
         */
        post: operations["onApprovalRequested"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "question.asked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A webhook of ours: question.asked
         * @description Signed by Standard Webhooks 1.0, in the format that its receiver has chosen. Any 2xx accepts it; 410 disables the endpoint; everything else is tried again.
         */
        post: operations["onQuestionAsked"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "question.answered": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A webhook of ours: question.answered
         * @description Signed by Standard Webhooks 1.0, in the format that its receiver has chosen. Any 2xx accepts it; 410 disables the endpoint; everything else is tried again.
         */
        post: operations["onQuestionAnswered"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "todos.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A webhook of ours: todos.updated
         * @description Signed by Standard Webhooks 1.0, in the format that its receiver has chosen. Any 2xx accepts it; 410 disables the endpoint; everything else is tried again.
         */
        post: operations["onTodosUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "subagent.spawned": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A webhook of ours: subagent.spawned
         * @description Signed by Standard Webhooks 1.0, in the format that its receiver has chosen. Any 2xx accepts it; 410 disables the endpoint; everything else is tried again.
         */
        post: operations["onSubagentSpawned"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "subagent.announced": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A webhook of ours: subagent.announced
         * @description Signed by Standard Webhooks 1.0, in the format that its receiver has chosen. Any 2xx accepts it; 410 disables the endpoint; everything else is tried again.
         */
        post: operations["onSubagentAnnounced"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "subagent.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A webhook of ours: subagent.failed
         * @description Signed by Standard Webhooks 1.0, in the format that its receiver has chosen. Any 2xx accepts it; 410 disables the endpoint; everything else is tried again.
         */
        post: operations["onSubagentFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "fanout.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A webhook of ours: fanout.created
         * @description Signed by Standard Webhooks 1.0, in the format that its receiver has chosen. Any 2xx accepts it; 410 disables the endpoint; everything else is tried again.
         */
        post: operations["onFanoutCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "fanout.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A webhook of ours: fanout.completed
         * @description Signed by Standard Webhooks 1.0, in the format that its receiver has chosen. Any 2xx accepts it; 410 disables the endpoint; everything else is tried again.
         */
        post: operations["onFanoutCompleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "fanout.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A webhook of ours: fanout.failed
         * @description Signed by Standard Webhooks 1.0, in the format that its receiver has chosen. Any 2xx accepts it; 410 disables the endpoint; everything else is tried again.
         */
        post: operations["onFanoutFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "fanout.cancelled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A webhook of ours: fanout.cancelled
         * @description Signed by Standard Webhooks 1.0, in the format that its receiver has chosen. Any 2xx accepts it; 410 disables the endpoint; everything else is tried again.
         */
        post: operations["onFanoutCancelled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "endpoint.disabled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A webhook of ours: endpoint.disabled
         * @description Signed by Standard Webhooks 1.0, in the format that its receiver has chosen. Any 2xx accepts it; 410 disables the endpoint; everything else is tried again.
         */
        post: operations["onEndpointDisabled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "schedule.disabled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A webhook of ours: schedule.disabled
         * @description Signed by Standard Webhooks 1.0, in the format that its receiver has chosen. Any 2xx accepts it; 410 disables the endpoint; everything else is tried again.
         */
        post: operations["onScheduleDisabled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "session.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A webhook of ours: session.created
         * @description Signed by Standard Webhooks 1.0, in the format that its receiver has chosen. Any 2xx accepts it; 410 disables the endpoint; everything else is tried again.
         */
        post: operations["onSessionCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "session.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A webhook of ours: session.updated
         * @description Signed by Standard Webhooks 1.0, in the format that its receiver has chosen. Any 2xx accepts it; 410 disables the endpoint; everything else is tried again.
         */
        post: operations["onSessionUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "session.forked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A webhook of ours: session.forked
         * @description Signed by Standard Webhooks 1.0, in the format that its receiver has chosen. Any 2xx accepts it; 410 disables the endpoint; everything else is tried again.
         */
        post: operations["onSessionForked"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "session.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A webhook of ours: session.deleted
         * @description Signed by Standard Webhooks 1.0, in the format that its receiver has chosen. Any 2xx accepts it; 410 disables the endpoint; everything else is tried again.
         */
        post: operations["onSessionDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "endpoint.test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A webhook of ours: endpoint.test
         * @description Signed by Standard Webhooks 1.0, in the format that its receiver has chosen. Any 2xx accepts it; 410 disables the endpoint; everything else is tried again.
         */
        post: operations["onEndpointTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    any: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A webhook of ours: any of them, distinguished by `type`
         * @description Signed by Standard Webhooks 1.0, in the format that its receiver has chosen. Any 2xx accepts it; 410 disables the endpoint; everything else is tried again.
         */
        post: operations["onWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /** @description The body of a webhook of the format `cloudevents` */
        CloudEvent: {
            /**
             * @description The version of CloudEvents
             * @constant
             */
            specversion: "1.0";
            /** @description The event, made of its run and `seq`: what came before has this id (`evt_` and 26 characters) */
            id: string;
            /**
             * @description The same for all events
             * @constant
             */
            source: "urn:strata";
            /** @description The type of the event, as in `data` */
            type: string;
            /** @description The run or fan-out; of the tenant's own events the session, schedule or endpoint */
            subject?: string;
            /** @description When it happened (RFC 3339, UTC) */
            time: string;
            /**
             * @description Of `data`
             * @constant
             */
            datacontenttype: "application/json";
            /** @description The event: `data` of the `WebhookBody` of this type */
            data: {
                [key: string]: unknown;
            };
        };
        /** @description A refusal or a failure (RFC 9457). Some codes add members of their own */
        Problem: {
            /** @description A URI that names the kind of problem; the code is its end */
            type: string;
            /** @description The same sentence for every problem with this code */
            title: string;
            /** @description The HTTP status of this answer */
            status: number;
            /** @description Explanation of this refusal for people; the wording may change */
            detail: string;
            /** @description The path of the request */
            instance: string;
            /**
             * @description Stable; decide by this
             * @enum {string}
             */
            code: "malformed_request" | "invalid_json" | "invalid_key" | "invalid_cursor" | "invalid_query" | "invalid_header" | "event_ahead" | "unauthorized" | "invalid_signature" | "insufficient_scope" | "not_found" | "method_not_allowed" | "request_timeout" | "conflict" | "case_conflict" | "args_changed" | "session_busy" | "run_ended" | "gone" | "precondition_failed" | "too_large" | "unsupported_media_type" | "hook_loop" | "idempotency_mismatch" | "invalid_request" | "unknown_agent" | "agent_unavailable" | "skill_unavailable" | "unknown_repo" | "role_layer_invalid" | "unknown_mcp_config" | "invalid_config" | "tool_unavailable" | "strict" | "model_not_configured" | "price_unknown" | "blocked_url" | "precondition_required" | "rate_limited" | "headers_too_large" | "internal" | "unavailable";
            /** @description Names this request in our log; also in `X-Request-Id` (`req_` and 26 characters) */
            request_id: string;
            /** @description Each place of the request that is wrong; absent: no single place is */
            errors?: {
                /** @description JSON pointer (RFC 6901) into the request; empty: the whole of it */
                pointer: string;
                /** @description The problem at that place */
                message: string;
            }[];
        } & {
            [key: string]: unknown;
        };
        /** @description Tokens and model calls, as counted by the providers */
        Usage: {
            /** @description Tokens sent to models */
            input_tokens: number;
            /** @description Tokens written by models */
            output_tokens: number;
            /** @description Number of model calls, including those whose answer was discarded */
            model_calls: number;
            /** @description Of the input: read from the provider's cache; a budget of tokens counts it like any other; absent: none reported */
            cache_read_tokens?: number;
            /** @description Of the input: written to the provider's cache; absent: none reported */
            cache_write_tokens?: number;
            /** @description Of the output: reasoning of the model; absent: none reported */
            reasoning_tokens?: number;
            /** @description US dollars by the list of prices; absent: no price is known */
            list_price?: number;
            /**
             * @description Some counts are estimated from bytes, because a provider reported none or impossible ones
             * @constant
             */
            estimated?: true;
        };
        /** @description Why something did not complete */
        RunError: {
            /** @description Stable; decide by this */
            code: string;
            /** @description Explanation for people; the wording may change */
            message: string;
        };
        /** @description A problem that a run goes on with */
        Warning: {
            /** @description Stable; decide by this */
            code: string;
            /** @description Explanation for people; the wording may change */
            message: string;
            /** @description A suggested remedy */
            hint?: string;
        };
        /** @description A problem that some tasks go on with */
        TaskWarning: {
            /** @description Stable; decide by this */
            code: string;
            /** @description Explanation for people; the wording may change */
            message: string;
            /** @description A suggested remedy */
            hint?: string;
            /** @description The indices of the tasks that it concerns */
            tasks: number[];
        };
        /** @description Why something is cancelled; the body may be left out */
        CancelInput: {
            /** @description Recorded in the event `cancel.requested` and in the audit */
            reason?: string | null;
        };
        /** @description An endpoint to be created */
        WebhookEndpointInput: {
            /** @description Target of the POST requests; addresses that are not public are refused */
            url: string;
            /** @description Types of events, or families such as `run.*`; default: the ends of runs. Ends of subagents: `subagent.*` */
            events?: ("run.completed" | "run.failed" | "run.cancelled" | "run.timed_out" | "approval.requested" | "question.asked" | "question.answered" | "todos.updated" | "subagent.spawned" | "subagent.announced" | "subagent.failed" | "fanout.created" | "fanout.completed" | "fanout.failed" | "fanout.cancelled" | "endpoint.disabled" | "schedule.disabled" | "session.created" | "session.updated" | "session.forked" | "session.deleted" | "run.*" | "approval.*" | "question.*" | "subagent.*" | "fanout.*" | "session.*")[] | null;
            /** @description For people; null: none */
            description?: string | null;
            /** @description Form of the bodies. `standard`: type, timestamp and data. `cloudevents`: a CloudEvent 1.0 in structured mode. Both are signed by Standard Webhooks. Default: `standard` */
            format?: ("standard" | "cloudevents") | null;
            /** @description `whsec_` and 24 to 64 bytes in base 64; omitted: generated and shown once */
            secret?: string | null;
        };
        /** @description Changes to an endpoint; omitted members stay as they are */
        WebhookEndpointPatch: {
            /** @description Target of the POST requests; addresses that are not public are refused */
            url?: string;
            /** @description Types of events, or families such as `run.*`; takes the place of all that it had */
            events?: ("run.completed" | "run.failed" | "run.cancelled" | "run.timed_out" | "approval.requested" | "question.asked" | "question.answered" | "todos.updated" | "subagent.spawned" | "subagent.announced" | "subagent.failed" | "fanout.created" | "fanout.completed" | "fanout.failed" | "fanout.cancelled" | "endpoint.disabled" | "schedule.disabled" | "session.created" | "session.updated" | "session.forked" | "session.deleted" | "run.*" | "approval.*" | "question.*" | "subagent.*" | "fanout.*" | "session.*")[];
            /** @description For people; null takes it away */
            description?: string | null;
            /**
             * @description Form of the bodies. `standard`: type, timestamp and data. `cloudevents`: a CloudEvent 1.0 in structured mode. Both are signed by Standard Webhooks; counts for events from now on
             * @enum {string}
             */
            format?: "standard" | "cloudevents";
            /** @description True also takes back what disabled it */
            enabled?: boolean;
        };
        /** @description What every answer about an endpoint says of it */
        WebhookEndpointBase: {
            /** @description The endpoint (`whe_` and 26 characters) */
            id: string;
            /**
             * @description Always `webhook_endpoint`: which kind of object this is
             * @constant
             */
            object: "webhook_endpoint";
            /** @description Target of the POST requests */
            url: string;
            /** @description Types of events, or families such as `run.*` */
            events: string[];
            /** @description For people; null: none */
            description: string | null;
            /**
             * @description Form of the bodies. `standard`: type, timestamp and data. `cloudevents`: a CloudEvent 1.0 in structured mode. Both are signed by Standard Webhooks
             * @enum {string}
             */
            format: "standard" | "cloudevents";
            /** @description Whether events are sent to it */
            enabled: boolean;
            /** @description `gone`: it answered 410. `failing`: five days of nothing but failures. `by_hand`: a request. Null: it is enabled */
            disabled_reason: ("gone" | "failing" | "by_hand") | null;
            /** @description Start of an unbroken series of failures (RFC 3339, UTC); null: the last attempt succeeded, or there was none */
            failing_since: string | null;
            /** @description Deliveries pause until then after too many failures in a row (RFC 3339, UTC); null: they do not pause */
            open_until: string | null;
            /** @description When it was created (RFC 3339, UTC) */
            created_at: string;
        };
        /** @description A receiver of the tenant's events */
        WebhookEndpoint: components["schemas"]["WebhookEndpointBase"];
        /** @description An endpoint as its creation and the rotation of its secret are answered */
        WebhookEndpointWithSecret: components["schemas"]["WebhookEndpointBase"] & {
            /** @description Only when it was generated, only in this answer */
            secret?: string;
        };
        /** @description Settings of approvals: for how long people are asked, and what happens without them */
        ApprovalSettings: {
            /**
             * @description Seconds until a request for approval expires
             * @default 86400
             */
            expires_seconds: number;
            /**
             * @description The outcome when nobody has decided by then
             * @default deny
             * @enum {string}
             */
            on_expiry: "deny" | "approve";
            /**
             * @description Nobody can be asked: what would ask a person is denied at once
             * @default false
             */
            unattended: boolean;
        };
        /** @description Settings of approvals: for how long people are asked, and what happens without them */
        ApprovalSettingsInput: {
            /** @description Seconds until a request for approval expires */
            expires_seconds?: number | null;
            /** @description The outcome when nobody has decided by then */
            on_expiry?: ("deny" | "approve") | null;
            /** @description Nobody can be asked: what would ask a person is denied at once */
            unattended?: boolean | null;
        };
        /** @description A tool call that waits for a person, or waited */
        Approval: {
            /** @description The approval: `apr_` and 52 characters */
            id: string;
            /**
             * @description Always `approval`: which kind of object this is
             * @constant
             */
            object: "approval";
            /**
             * @description `closed`: the run ended before anybody decided
             * @enum {string}
             */
            status: "pending" | "approved" | "denied" | "expired" | "closed";
            /** @description The run that asks (`run_` and 26 characters) */
            run_id: string;
            /** @description The topmost run of its tree (`run_` and 26 characters) */
            root_run_id: string;
            /** @description From the root to the run that asks */
            path: {
                /** @description The run (`run_` and 26 characters) */
                run_id: string;
                /** @description Its agent, by its id in the layers */
                agent: string;
                /** @description A short name for people; null: none was given */
                label: string | null;
            }[];
            /** @description The tool call that waits (`call_` and 26 characters) */
            call: string;
            /** @description The tool as the model sees it, e.g. `mcp__helpdesk__refund` */
            tool: string;
            /** @description JSON text as the model wrote it; lists may shorten it */
            arguments: string;
            /** @description SHA-256 of the arguments (64 hex digits) */
            args_hash: string;
            /** @description Invisible characters found in the arguments, where they appear as JSON escapes */
            hidden?: string;
            /** @description Origin of the rule that asks: the policy, an agent, a skill or an MCP server, by name */
            reason: string;
            /** @description When the run asked (RFC 3339, UTC) */
            requested_at: string;
            /** @description Until when it can be decided (RFC 3339, UTC) */
            expires_at: string;
            /** @description The decision; null: none yet, or the run ended before */
            decision: {
                /**
                 * @description `expired`: time was over, and `on_expiry` counts
                 * @enum {string}
                 */
                decision: "approve" | "deny" | "expired";
                /** @description The id of the API key that decided; null: time did */
                by: string | null;
                /** @description The reason that was given; null: none */
                reason: string | null;
                /** @description JSON text that was approved instead; null: what was asked */
                arguments: string | null;
                /** @description When it was decided (RFC 3339, UTC) */
                decided_at: string;
            } | null;
        };
        /** @description The decision of a person */
        DecisionInput: {
            /**
             * @description One of these words; texts are not read
             * @enum {string}
             */
            decision: "approve" | "deny";
            /** @description With `deny` it is shown to the model */
            reason?: string | null;
            /** @description Approve with these arguments instead; checked against the schema of the tool */
            arguments?: {
                [key: string]: unknown;
            } | null;
            /** @description The `args_hash` that you decide on: 409 when the arguments have changed */
            args_hash?: string | null;
        };
        /** @description A text among the parts of a message */
        TextPart: {
            /**
             * @description A text
             * @constant
             */
            type: "text";
            /** @description Must not be blank */
            text: string;
        };
        /** @description A picture or a file: exactly one of `data`, `key` and `url`. Its type is told by its bytes */
        MediaPart: {
            /**
             * @description `image`: PNG, JPEG, GIF or WebP. `file`: a text, which is shown as such, or image/png, image/jpeg, image/gif, image/webp, application/pdf, audio/wav, audio/mpeg
             * @enum {string}
             */
            type: "image" | "file";
            /** @description Its bytes in base64 */
            data?: string | null;
            /** @description Its key among the tenant's files, e.g. `repos/app/chart.png` */
            key?: string | null;
            /** @description Its https address, read before the request is answered; the policy of the tenant counts */
            url?: string | null;
            /** @description Its name for the model. Default: the end of the key or of the address */
            name?: string | null;
        };
        /** @description A part of a message; at most 20 of one input are pictures or files */
        InputPart: components["schemas"]["TextPart"] | components["schemas"]["MediaPart"];
        /** @description A picture, sound or file; the text names it at its place */
        Media: {
            /**
             * @description Its type
             * @enum {string}
             */
            media_type: "image/png" | "image/jpeg" | "image/gif" | "image/webp" | "application/pdf" | "audio/wav" | "audio/mpeg";
            /** @description The name of the file, where it has one */
            name?: string;
            /** @description Its size in bytes */
            bytes: number;
            /** @description SHA-256 of its bytes (64 hex digits) */
            digest: string;
        };
        /** @description A text of a log, or its beginning */
        LoggedText: string | {
            /** @description SHA-256 of the text (64 hex digits) */
            digest: string;
            /** @description Its size in bytes of UTF-8 */
            bytes: number;
            /** @description The beginning of the text */
            preview: string;
            /** @description Pictures, sound and files that it names, in its order; absent: none */
            media?: components["schemas"]["Media"][];
        };
        /** @description How the model gets the schema of its answer */
        StructuredOutput: {
            /** @description By the provider's own means; else the schema is in the prompt */
            native: boolean;
            /**
             * @description In calls that offer tools it is in the prompt all the same
             * @constant
             */
            only?: "without_tools";
            /** @description Why not natively, or not always */
            reason?: string;
        };
        /** @description A budget, or a share of one */
        Allotment: {
            /** @description Tokens in and out; null: unlimited */
            max_tokens: number | null;
            /** @description Calls of models; null: unlimited */
            max_model_calls: number | null;
            /** @description US dollars by the list of prices; null or absent: unlimited */
            max_cost_usd?: number | null;
        };
        /** @description The result of a subagent, as reported to its parent */
        Announce: {
            /** @description The subagent (`run_` and 26 characters) */
            run_id: string;
            /** @description The agent, by its id in the layers */
            agent: string;
            /** @description A short name for people; null: none was given */
            label: string | null;
            /** @description The first 200 characters of its task */
            task: string;
            /**
             * @description Final status
             * @enum {string}
             */
            status: "completed" | "failed" | "cancelled" | "timed_out";
            /** @description `completed` is no success by itself. `end_turn`: the model was done. `max_tokens`: its last answer was cut off. `max_steps`, `budget`: a limit was reached. `refusal`: the model refused. `error`, `cancelled`, `timeout`: it did not complete. `denied` is reserved */
            stop_reason?: string;
            /**
             * @description It was cancelled before it had begun
             * @constant
             */
            never_started?: true;
            /** @description Answers of its model */
            steps: number;
            /** @description Its last answer. A large text stands by digest, size and beginning (the transcript has it in full). Null: it did not complete */
            result: components["schemas"]["LoggedText"] | null;
            /** @description Its last text, when it ended before it was done. A large text stands by digest, size and beginning (the transcript has it in full) */
            partial?: components["schemas"]["LoggedText"];
            /** @description Why it did not complete; null: nothing went wrong */
            error: components["schemas"]["RunError"] | null;
            /** @description The answer as data; null: none was asked for, none fits, or its run has it */
            structured: unknown;
            /** @description Why the answer does not fit the schema; absent: it does */
            schema_error?: string;
            /** @description Milliseconds from its start to its end */
            duration_ms: number;
            /** @description With all below it that has ended */
            usage: components["schemas"]["Usage"];
            /** @description Budget that descendants which are still running may spend after its end */
            held?: components["schemas"]["Allotment"];
            /** @description Problems that it ran with; absent: none */
            warnings?: components["schemas"]["Warning"][];
            /** @description Keys of files attached to the output, 20 at the most */
            attachments?: string[];
            /** @description Number of further keys, which only its run lists */
            attachments_left_out?: number;
            /** @description Whether its run has more than stands here */
            truncated: boolean;
        };
        /** @description A question to the user */
        Question: {
            /** @description The words that the user reads */
            question: string;
            /** @description What may be chosen; any other text is an answer, too */
            choices?: {
                /** @description The choice, in a few words */
                label: string;
                /** @description What it means */
                description?: string;
            }[];
            /**
             * @description Several of them may be chosen
             * @constant
             */
            multiple?: true;
            /** @description A form of an MCP server, as a JSON Schema of a flat object: the answer is such an object as JSON, a line `name: value` for each field, the plain value of a single field, or `{"action": "decline"}` */
            schema?: {
                [key: string]: unknown;
            };
        };
        /** @description An entry of the list that a run works by */
        Todo: {
            /** @description What is to be done */
            content: string;
            /**
             * @description How far it is
             * @enum {string}
             */
            status: "pending" | "in_progress" | "completed";
            /** @description The same while it is done */
            active_form?: string;
        };
        /** @description A file that a run hands over */
        Attachment: {
            /** @description Its key among the files of the tenant */
            key: string;
            /** @description By the end of its name; `application/octet-stream` where that says nothing */
            media_type: string;
            /** @description Its size in bytes; null: it is gone, or this is a list */
            bytes: number | null;
            /** @description A link to the file as it is then; null: it is gone, or this is a list */
            download: {
                /** @description Below the address of this deployment; whoever has it needs no API key */
                path: string;
                /** @description So long it is good, 900 s from this answer (RFC 3339, UTC) */
                expires_at: string;
            } | null;
        };
        /** @description What every answer about a run says of it */
        RunBase: {
            /** @description The run (`run_` and 26 characters) */
            id: string;
            /**
             * @description Always `run`: which kind of object this is
             * @constant
             */
            object: "run";
            /**
             * @description `main`: asked for by a request, or the closing run of a fan-out. `subagent`: started by a run or a fan-out. `hook`: started by a webhook that came in. `schedule`: started by a schedule
             * @enum {string}
             */
            kind: "main" | "subagent" | "schedule" | "hook";
            /**
             * @description The last four are ends and never change. `waiting`: see `waiting_on`
             * @enum {string}
             */
            status: "queued" | "running" | "waiting" | "completed" | "failed" | "cancelled" | "timed_out";
            /** @description `session`: for its turn. `retry`: for the next attempt of a model call. Null: it does not wait */
            waiting_on: ("subagents" | "approval" | "input" | "session" | "retry") | null;
            /** @description Why it ended. `end_turn`: the model was done. `max_tokens`: its last answer was cut off. `max_steps`, `budget`: a limit was reached. `refusal`: the model refused. `error`, `cancelled`, `timeout`: it did not complete. `denied` is reserved. Null: it has not ended */
            stop_reason: string | null;
            /** @description The agent, by its id in the layers */
            agent: string;
            /** @description `provider/model`; null before the run has started */
            model: string | null;
            /** @description The first 500 characters of the last input message */
            input: string;
            /** @description A short name for people; null: none was given */
            label: string | null;
            /** @description The role whose layer it uses; null: none was named */
            role: string | null;
            /** @description The prefix of its repository layer; null: it has none */
            repo_dir: string | null;
            /** @description The session that its transcript belongs to (`ses_` and 26 characters) */
            session_id: string;
            /** @description The run that started it (`run_` and 26 characters); null: no run did */
            parent_run_id: string | null;
            /** @description The fan-out that started it (`fan_` and 26 characters); absent: none did */
            fanout_id?: string;
            /** @description The topmost run of its tree; its own where no run started it (`run_` and 26 characters) */
            root_run_id: string;
            /** @description The session of the run that started it (`ses_` and 26 characters); null: no run did */
            requester_session_id: string | null;
            /** @description Depth in its tree: 0 for a top-level run, 1 for its subagents and for tasks of a fan-out */
            depth: number;
            /**
             * @description The queue that it is scheduled in; subagents have one of their own
             * @enum {string}
             */
            lane: "main" | "subagent" | "background";
            /** @description SHA-256 of the configuration that it was given, for `POST /v1/resolve/diff`; null before the run has started */
            config_digest: string | null;
            /** @description When it was accepted (RFC 3339, UTC) */
            created_at: string;
            /** @description Nothing of it is performed before; absent: it may begin at once (RFC 3339, UTC) */
            start_at?: string;
            /** @description It ends unless it has begun by then; absent: never (RFC 3339, UTC) */
            expires_at?: string;
            /** @description Among queued runs of its lane; absent: 0 */
            priority?: number;
            /** @description When work on it began (RFC 3339, UTC); null: not yet */
            started_at: string | null;
            /** @description When it ended (RFC 3339, UTC); null: not yet */
            ended_at: string | null;
            /** @description The final answer; null unless it completed. In lists the text may be shortened */
            output: {
                /** @description The last answer of the model */
                text: string;
                /** @description The answer as data, by the `output_schema`; null: none was asked for, or none fits */
                structured: unknown;
                /** @description Files attached to the output */
                attachments: components["schemas"]["Attachment"][];
                /** @description Why the answer does not fit the schema */
                schema_error?: string;
            } | null;
            /** @description Its last text, when it ended without an output; in lists shortened */
            partial?: string;
            /** @description Why it did not complete; null: nothing went wrong */
            error: components["schemas"]["RunError"] | null;
            /** @description Answers of the model so far */
            steps: number;
            /** @description By the policy's prices, with that of its subagents; null: no price is known */
            cost: number | null;
            /** @description Its own and that of its subagents that have ended */
            usage: components["schemas"]["Usage"];
            /** @description Counts of its subagents by status */
            children: {
                /** @description Number of subagents created */
                total: number;
                /** @description Number still running, or whose end has not been reported yet */
                live: number;
                /** @description Number that completed */
                completed: number;
                /** @description Number that failed */
                failed: number;
                /** @description Number that were cancelled */
                cancelled: number;
                /** @description Number that timed out */
                timed_out: number;
                /** @description Number that completed after the run had ended and its session was deleted: nobody got the result */
                dropped?: number;
            };
            /** @description The user is asked: the next `POST /v1/runs/{id}/messages` is the answer; absent: nothing is asked */
            question?: {
                /** @description The tool call that the answer is the result of (`call_` and 26 characters) */
                call: string;
                /** @description What the user is asked; one message answers all */
                questions: components["schemas"]["Question"][];
                /** @description When it was asked (RFC 3339, UTC) */
                asked_at: string;
                /** @description When the run goes on without an answer (RFC 3339, UTC) */
                expires_at: string;
            };
            /** @description The list that it works by; absent: it has made none. Lists of runs leave it out */
            todos?: components["schemas"]["Todo"][];
            /** @description Problems that the run goes on with; before the start: as found when it was accepted; absent: none */
            warnings?: components["schemas"]["Warning"][];
            /** @description The caller's own pairs for this run; empty: none */
            metadata: {
                [key: string]: string;
            };
        };
        /** @description A durable execution of an agent */
        Run: components["schemas"]["RunBase"];
        /** @description A run as its creation is answered */
        CreatedRun: components["schemas"]["RunBase"] & {
            /** @description The webhook's secret: only in the 202, only when it was generated */
            webhook_secret?: string;
            /** @description The input made no run: the session's run, shown here, was waiting for an answer; absent: it made this run */
            answered?: {
                /** @description The input, as a message (`msg_` and 26 characters) */
                message_id: string;
                /** @description The run that has it: the one of this answer, or one below it (`run_` and 26 characters) */
                run_id: string;
                /** @description The tool call whose question it answers; null: that was closed meanwhile, so it is an ordinary message */
                question: string | null;
                /** @description Members of the request that mean nothing to that run */
                ignored: string[];
            };
        };
        /** @description A run after a cancel, with its direct children */
        CancelledRun: components["schemas"]["RunBase"] & {
            /** @description Direct children with their status */
            cancelled_children: {
                /** @description The child (`run_` and 26 characters) */
                run_id: string;
                /** @description Its final status; `pending`: its end is on the way */
                status: string;
            }[];
        };
        /** @description A run with all below it */
        RunTree: {
            run: components["schemas"]["Run"];
            /** @description Its subagents, each with its own */
            children: components["schemas"]["RunTree"][];
        };
        /** @description A message as the model was shown it, or as it answered */
        TranscriptMessage: {
            /**
             * @description Author of the message; results of subagents appear as `user`, waited for as `tool`
             * @enum {string}
             */
            role: "system" | "user" | "assistant" | "tool";
            /** @description With `system` and `user`: the whole text */
            text?: string;
            /** @description Pictures, sound and files that the text names; their bytes: `GET /v1/runs/{id}/media/{digest}` */
            media?: components["schemas"]["Media"][];
            /** @description With `assistant`: its texts and tool calls, in order */
            parts?: {
                /**
                 * @description Kind of the part; decides which other members are present
                 * @enum {string}
                 */
                type: "text" | "reasoning" | "call";
                /** @description With `text` and `reasoning`: what the model wrote */
                text?: string;
                /** @description With `call`: the tool call (`call_` and 26 characters) */
                id?: string;
                /** @description With `call`: the name of the tool */
                tool?: string;
                /** @description With `call`: JSON text as the model wrote it */
                arguments?: string;
            }[];
            /** @description With `tool`: one result for each call */
            results?: {
                /** @description The tool call that it answers (`call_` and 26 characters) */
                call: string;
                /** @description The name of the tool */
                tool: string;
                /** @description The result as the model saw it */
                text: string;
                /** @description Whether the call failed, or was refused */
                is_error: boolean;
                /** @description Pictures, sound and files that the text names; their bytes: `GET /v1/runs/{id}/media/{digest}` */
                media?: components["schemas"]["Media"][];
            }[];
            /** @description In the list of a session: its place there, which never changes */
            position?: string;
        };
        /** @description Where the tasks of a fan-out stand */
        TaskCounts: {
            /** @description Number of tasks received */
            total: number;
            /** @description Number waiting for a free place */
            queued: number;
            /** @description Number running; in lists all tasks of a running page count as live */
            live: number;
            /** @description Number that completed */
            completed: number;
            /** @description Number that failed */
            failed: number;
            /** @description Number cancelled, including those that never started */
            cancelled: number;
            /** @description Number that timed out */
            timed_out: number;
        };
        /** @description Settings of calls to a model; what is omitted is as its provider has it */
        ModelSettings: {
            /** @description Randomness; 0: the least */
            temperature?: number;
            /** @description Share of likely tokens that count */
            top_p?: number;
            /** @description Longest answer */
            max_output_tokens?: number;
            /**
             * @description How hard the model thinks
             * @enum {string}
             */
            reasoning_effort?: "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max";
            /** @description Tokens that the model may think, where its provider counts them */
            thinking_budget?: number;
            /** @description Texts that end an answer */
            stop?: string[];
            /** @description For answers that repeat */
            seed?: number;
            /** @description False: at most one tool call in an answer */
            parallel_tool_calls?: boolean;
            /** @description By provider kind (`openai`, `anthropic`, …), options as the AI SDK's package of it names them */
            provider_options?: {
                [key: string]: {
                    [key: string]: unknown;
                };
            };
        };
        /** @description Settings of calls to a model; what is omitted is as its provider has it */
        ModelSettingsInput: {
            /** @description Randomness; 0: the least */
            temperature?: number | null;
            /** @description Share of likely tokens that count */
            top_p?: number | null;
            /** @description Longest answer */
            max_output_tokens?: number | null;
            /** @description How hard the model thinks */
            reasoning_effort?: ("none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max") | null;
            /** @description Tokens that the model may think, where its provider counts them */
            thinking_budget?: number | null;
            /** @description Texts that end an answer */
            stop?: string[] | null;
            /** @description For answers that repeat */
            seed?: number | null;
            /** @description False: at most one tool call in an answer */
            parallel_tool_calls?: boolean | null;
            /** @description By provider kind (`openai`, `anthropic`, …), options as the AI SDK's package of it names them */
            provider_options?: {
                [key: string]: {
                    [key: string]: unknown;
                };
            } | null;
        };
        /** @description A model that runs may name */
        Model: {
            /** @description `provider/model`, as runs name it; `agent/<name>`: an agent */
            id: string;
            /**
             * @description Always `model`: which kind of object this is
             * @constant
             */
            object: "model";
            /** @description When its facts were read, seconds since 1970; 0: nobody did */
            created: number;
            /** @description Its provider */
            owned_by: string;
            /** @description The provider, as the deployment calls it */
            provider: string;
            /** @description How it is spoken to, e.g. `anthropic` or `openai-compatible`; `agent` */
            kind: string;
            /** @description Context window in tokens; null: not known, and runs count with a cautious one */
            window: number | null;
            /** @description Longest answer in tokens; null: not known */
            max_output: number | null;
            /** @description Content that messages may hold; null: not known */
            input: ("text" | "image" | "pdf" | "audio")[] | null;
            /** @description List price in US dollars; null: not known. Costs of runs count by the policy */
            price: {
                /** @description Price of a million input tokens */
                input_per_million: number;
                /** @description Price of a million output tokens */
                output_per_million: number;
                /** @description Price of a million input tokens read from the provider's cache; absent: like any input */
                cache_read_per_million?: number;
                /** @description Price of a million input tokens written to the provider's cache; absent: like any input */
                cache_write_per_million?: number;
            } | null;
            /** @description Dearer prices of long requests; null: none are known */
            long: {
                /** @description Requests with more input tokens cost more */
                above: number;
                /** @description The price of such a request */
                price: {
                    /** @description Price of a million input tokens */
                    input_per_million: number;
                    /** @description Price of a million output tokens */
                    output_per_million: number;
                    /** @description Price of a million input tokens read from the provider's cache; absent: like any input */
                    cache_read_per_million?: number;
                    /** @description Price of a million input tokens written to the provider's cache; absent: like any input */
                    cache_write_per_million?: number;
                };
            } | null;
            /** @description The page that these facts were read from; null: the deployment says so */
            source: string | null;
            /** @description The day on which they were read; null: as `source` */
            read: string | null;
        };
        /** @description Models and aliases of this deployment; providers may have more models */
        Models: {
            /**
             * @description Always `list`: which kind of object this is
             * @constant
             */
            object: "list";
            /** @description The model of a run that names none; null: a run must name one */
            default: string | null;
            /** @description By id: models that the deployment knows of its providers, then agents */
            data: components["schemas"]["Model"][];
            /** @description By name */
            aliases: {
                /** @description The name that stands for its models */
                alias: string;
                /** @description The first answers; when it does not, the next is asked. Empty: none of them is configured */
                models: string[];
                /** @description Settings of calls by this alias; null: none */
                settings: components["schemas"]["ModelSettings"] | null;
                /**
                 * @description Whether the tenant's policy names it
                 * @enum {string}
                 */
                from: "tenant" | "deployment";
            }[];
        };
        /** @description The run as it was requested, with all its parameters */
        RunCreatedData: {
            /** @description The run (`run_` and 26 characters) */
            id: string;
            /** @description `main`, `subagent`, `hook` or `schedule` */
            kind: string;
            /** @description The agent that was asked for, by its id in the layers */
            agent: string;
        } & {
            [key: string]: unknown;
        };
        /** @description The configuration that was fixed at the start */
        RunStartedData: {
            /** @description The agent that it is, by its id in the layers */
            agent: string;
            /** @description `provider/model` */
            model: string;
            /** @description The model's context window in tokens */
            window: number;
            /** @description SHA-256 of the resolved configuration, for `POST /v1/resolve/diff` (64 hex digits) */
            config_digest: string;
            /** @description Maximum number of model answers */
            max_steps: number;
            /** @description Running time in seconds, without waits for people */
            timeout_seconds: number;
            /** @description The model's price by the policy; absent: none is known */
            price?: {
                /** @description Price of a million input tokens */
                input_per_million: number;
                /** @description Price of a million output tokens */
                output_per_million: number;
                /** @description Price of a million input tokens read from the provider's cache; absent: like any input */
                cache_read_per_million?: number;
                /** @description Price of a million input tokens written to the provider's cache; absent: like any input */
                cache_write_per_million?: number;
            };
            /** @description Models of the alias that are asked, in this order, when the run's own does not answer */
            fallbacks?: {
                /** @description `provider/model` */
                model: string;
                /** @description Its context window in tokens */
                window: number;
                /** @description The model's price by the policy; absent: none is known */
                price?: {
                    /** @description Price of a million input tokens */
                    input_per_million: number;
                    /** @description Price of a million output tokens */
                    output_per_million: number;
                    /** @description Price of a million input tokens read from the provider's cache; absent: like any input */
                    cache_read_per_million?: number;
                    /** @description Price of a million input tokens written to the provider's cache; absent: like any input */
                    cache_write_per_million?: number;
                };
            }[];
            /** @description Notes of its memory that the run begins with; absent: none */
            memory?: {
                /** @description The notes as the model is shown them. A large text stands by digest, size and beginning (the transcript has it in full) */
                text: components["schemas"]["LoggedText"];
                /** @description Where they stand */
                files: {
                    /** @description The file, as `/v1/memory/{path}` takes it */
                    path: string;
                    /** @description The etag of the file as it was read, without quotes */
                    etag: string;
                    /** @description Bytes of it that are shown */
                    bytes: number;
                    /**
                     * @description The rest did not fit
                     * @constant
                     */
                    cut?: true;
                }[];
            };
            structured_output?: components["schemas"]["StructuredOutput"];
            /** @description When work began; the event may be written later (RFC 3339, UTC) */
            began_at?: string;
            /** @description Layers, servers and tools that are missing or differ from the request; absent: none */
            warnings?: components["schemas"]["Warning"][];
        };
        /** @description The run waits and holds no process */
        RunWaitingData: {
            /**
             * @description Cause of the wait
             * @enum {string}
             */
            on: "subagents" | "approval" | "input" | "session" | "retry";
            /** @description When the waiting ends by itself (RFC 3339, UTC); null: it does not */
            until: string | null;
            /** @description With `retry`: the step, counted from 0 */
            step?: number;
            /** @description With `retry`: the attempt that failed, from 1 */
            attempt?: number;
            /** @description With `retry`: why it failed */
            error?: components["schemas"]["RunError"];
        };
        /** @description The waiting is over */
        RunResumedData: {
            /** @description With the turn of a session: digests of its transcript's segments */
            history?: string[];
        };
        /** @description A finished answer of the model */
        AssistantMessageData: {
            /** @description Index of the answer, counted from 0 */
            step: number;
            /** @description Number of messages and results that the model had seen */
            seen: number;
            /** @description Its texts and tool calls, in order */
            parts: ({
                /**
                 * @description `text` and `reasoning` have `text`; `call` has `id`, `tool` and `arguments`
                 * @enum {string}
                 */
                type: "text" | "reasoning" | "call";
            } & {
                [key: string]: unknown;
            })[];
            /** @description The treatment of each tool call */
            calls: {
                /** @description The tool call (`call_` and 26 characters) */
                id: string;
                /** @description The tool, as the model sees it */
                tool: string;
                /**
                 * @description `once`: never repeated, `repeatable`: may be repeated, `write`: a write of a file that is done once, `spawn`: starts a subagent, `caller`: its caller brings the result, `refused`: not performed
                 * @enum {string}
                 */
                mode: "once" | "repeatable" | "write" | "spawn" | "question" | "caller" | "refused";
                /** @description Why it is refused, as the model reads it */
                refusal?: string;
                /** @description A person is asked first; by whose rule */
                ask?: string;
            }[];
            /**
             * @description Why the model stopped; `length`: the answer was cut off
             * @enum {string}
             */
            finish: "stop" | "calls" | "length" | "refusal" | "other";
            /** @description `provider/model` that answered */
            model: string;
            /** @description Of this call of the model */
            usage: components["schemas"]["Usage"];
            /** @description When the model was asked; only where traces are exported (RFC 3339, UTC) */
            began_at?: string;
            /** @description How long it took; only where traces are exported */
            duration_ms?: number;
            /** @description Models of the chain that were asked before and did not answer */
            tried?: {
                /** @description `provider/model` */
                model: string;
                /**
                 * @description `too_long`: its window does not take the conversation
                 * @enum {string}
                 */
                code: "unavailable" | "rate_limited" | "too_long";
                /** @description Explanation for people */
                message: string;
            }[];
            /** @description Settings that the provider does not take, or takes otherwise; absent: none */
            warnings?: components["schemas"]["Warning"][];
            /** @description The answer as data, by the `output_schema`; null: none was asked for, or none fits */
            structured?: unknown;
            /** @description Why the answer does not fit the schema; absent: it does */
            schema_error?: string;
            /** @description The provider has refused the schema, which then went into the prompt */
            structured_output?: components["schemas"]["StructuredOutput"];
        };
        /** @description A call is about to be performed */
        ToolCallData: {
            /** @description The tool call (`call_` and 26 characters) */
            call: string;
            /** @description The tool, as the model sees it */
            tool: string;
            /**
             * @description `once`: never repeated, `repeatable`: may be repeated, `write`: a write of a file that is done once
             * @enum {string}
             */
            mode: "once" | "repeatable" | "write";
            /** @description The file before and after the write */
            write?: {
                /** @description The etag of the file before; null: there was none */
                before: string | null;
                /** @description SHA-256 of the file afterwards (64 hex digits) */
                after: string;
            };
        };
        /** @description The result of a tool call */
        ToolResultData: {
            /** @description The tool call (`call_` and 26 characters) */
            call: string;
            /** @description The tool, as the model sees it */
            tool: string;
            /**
             * @description `unknown`: the call was sent, and its outcome is not known
             * @enum {string}
             */
            status: "ok" | "error" | "unknown";
            /** @description The result as the model sees it; of a subagent, its answer alone. A large text stands by digest, size and beginning (the transcript has it in full) */
            text: components["schemas"]["LoggedText"];
            /** @description Milliseconds that it took */
            duration_ms: number;
            /** @description When it began; only where traces are exported (RFC 3339, UTC) */
            began_at?: string;
            /** @description Keys of files that the run attaches to its output */
            attachments?: string[];
            /** @description Deferred tools that it has found: the model is shown them from now on */
            found?: string[];
        };
        /** @description The conversation had become too long for the model's window */
        TranscriptCompactedData: {
            /** @description The step that is due, counted from 0 */
            step: number;
            /** @description Number of messages and results received so far */
            seen: number;
            /** @description The first step that the model is still shown as it was, counted from 0 */
            kept_from: number;
            /** @description Summary that replaces everything before `kept_from`. A large text stands by digest, size and beginning (the transcript has it in full) */
            summary: components["schemas"]["LoggedText"];
            /** @description Model that wrote the summary; null: an excerpt, since no model could */
            model: string | null;
            /** @description Usage of the summary */
            usage: components["schemas"]["Usage"];
        };
        /** @description Before the conversation is shortened the model has said what must last */
        MemoryNotedData: {
            /** @description The step that is due, counted from 0 */
            step: number;
            /** @description Number of messages and results received so far */
            seen: number;
            /** @description What is to be written; empty: nothing must last, or see `error` */
            entries: {
                /** @description The file; absent: the note of the day */
                path?: string;
                /** @description The heading; absent: none */
                heading?: string;
                /** @description The entries, as Markdown. A large text stands by digest, size and beginning (the transcript has it in full) */
                content: components["schemas"]["LoggedText"];
            }[];
            /** @description The model that was asked; null: none has answered */
            model: string | null;
            /** @description Usage of its answer */
            usage: components["schemas"]["Usage"];
            /** @description Why nothing could be asked; the run goes on */
            error?: components["schemas"]["RunError"];
            /**
             * @description The provider had refused the conversation as too long
             * @constant
             */
            refused?: true;
        };
        /** @description What must last is written down */
        MemoryFlushedData: {
            /** @description The step that is due, counted from 0 */
            step: number;
            /** @description What was written */
            written: {
                /** @description The file, as `/v1/memory/{path}` takes it */
                path: string;
                /** @description Entries that were added */
                added: number;
                /** @description Entries that were there already */
                duplicates: number;
            }[];
            /** @description What could not be written: it is asked for again the next time; absent: nothing */
            errors?: components["schemas"]["RunError"][];
        };
        /** @description A skill was opened */
        SkillActivatedData: {
            /** @description The name of the skill */
            skill: string;
            /**
             * @description `user`: `/name` at the start of the input
             * @enum {string}
             */
            by: "model" | "user";
            /** @description SHA-256 of its SKILL.md (64 hex digits) */
            file_digest: string;
            /** @description The tool call that opened it; null: it was activated by hand */
            call: string | null;
            /** @description Arguments after the name; empty: none */
            args: string;
            /** @description Text that entered the transcript, when activated by a person. A large text stands by digest, size and beginning (the transcript has it in full). Null: the tool call has it */
            text: components["schemas"]["LoggedText"] | null;
        };
        /** @description An answer of a model was discarded; its usage counts */
        AssistantDiscardedData: {
            /** @description The answer that was asked for, counted from 0 */
            step: number;
            /** @description Model that was called; empty: an excerpt was made instead */
            model: string;
            /** @description Usage of the discarded answer */
            usage: components["schemas"]["Usage"];
        };
        /** @description The wall clock jumped forward, or no process was running */
        ClockSteppedData: {
            /** @description Milliseconds by which the wall clock jumped; they do not count as running time */
            ms: number;
            /** @description Time on the clock afterwards (RFC 3339, UTC) */
            to: string;
        };
        /** @description A person is asked */
        ApprovalRequestedData: {
            /** @description The approval: `apr_` and 52 characters */
            id: string;
            /** @description The tool call that waits (`call_` and 26 characters) */
            call: string;
            /** @description The tool, as the model sees it */
            tool: string;
            /** @description JSON text as the model wrote it. A large text stands by digest, size and beginning (the transcript has it in full) */
            arguments: components["schemas"]["LoggedText"];
            /** @description SHA-256 of the arguments (64 hex digits) */
            args_hash: string;
            /** @description Origin of the rule that asks: the policy, an agent, a skill or an MCP server, by name */
            reason: string;
            /** @description Until when it can be decided (RFC 3339, UTC) */
            expires_at: string;
            /** @description From the root to the run that asks */
            path: {
                /** @description The run (`run_` and 26 characters) */
                run_id: string;
                /** @description Its agent, by its id in the layers */
                agent: string;
                /** @description A short name for people; null: none was given */
                label: string | null;
            }[];
        };
        /** @description An approval was decided, or it expired */
        ApprovalDecidedData: {
            /** @description The approval: `apr_` and 52 characters */
            id: string;
            /** @description The tool call that waited (`call_` and 26 characters) */
            call: string;
            /**
             * @description `expired`: time was over, and `on_expiry` counts
             * @enum {string}
             */
            decision: "approve" | "deny" | "expired";
            /** @description The id of the API key that decided; null: time did */
            by: string | null;
            /** @description The reason that was given; null: none */
            reason: string | null;
            /** @description JSON text that was approved instead, values hidden. A large text stands by digest, size and beginning (the transcript has it in full) */
            arguments?: components["schemas"]["LoggedText"];
        };
        /** @description A message from outside: the answer of the question that is open, else it enters before the next model call */
        MessageReceivedData: {
            /** @description The message (`msg_` and 26 characters) */
            message_id: string;
            /** @description Text of the message. A large text stands by digest, size and beginning (the transcript has it in full) */
            text: components["schemas"]["LoggedText"];
            /**
             * @description The model of the run above sent it: it answers no question
             * @constant
             */
            by?: "parent";
        };
        /** @description An MCP server asks a person in the middle of a call */
        ToolPausedData: {
            /** @description The tool call, which goes on when a person has spoken (`call_` and 26 characters) */
            call: string;
            /** @description The name by which the model called it */
            tool: string;
            /** @description The MCP server that asks */
            server: string;
            /** @description Which of its questions in this call, from 1 */
            round: number;
            /**
             * @description `approval`: it wants to know whether, and an approval follows; `input`: a question
             * @enum {string}
             */
            on: "approval" | "input";
            /** @description What it asks */
            requests: {
                /** @description The server's name for it */
                key: string;
                /** @description What it asks, in its words */
                message: string;
                /** @description A JSON Schema of the answer */
                form?: {
                    [key: string]: unknown;
                };
                /** @description The page that a person is to open */
                url?: string;
            }[];
            /** @description How long the call took until then, in milliseconds */
            duration_ms: number;
        };
        /** @description The user is asked; the next message to the run is the answer */
        QuestionAskedData: {
            /** @description The tool call that the answer is the result of (`call_` and 26 characters) */
            call: string;
            /** @description What the user is asked; one message answers all */
            questions: components["schemas"]["Question"][];
            /** @description Until when it can be answered (RFC 3339, UTC) */
            expires_at: string;
            /** @description From the root to the run that asks */
            path: {
                /** @description The run (`run_` and 26 characters) */
                run_id: string;
                /** @description Its agent, by its id in the layers */
                agent: string;
                /** @description A short name for people; null: none was given */
                label: string | null;
            }[];
        };
        /** @description A question was answered, or it expired */
        QuestionAnsweredData: {
            /** @description The tool call that waited (`call_` and 26 characters) */
            call: string;
            /**
             * @description Whether an answer came in time
             * @enum {string}
             */
            outcome: "answered" | "expired";
            /** @description The message that answers it (`msg_` and 26 characters); null: none came in time */
            message_id: string | null;
        };
        /** @description The run has replaced the list that it works by */
        TodosUpdatedData: {
            /** @description The tool call that gave it (`call_` and 26 characters) */
            call: string;
            /** @description The whole list, in order */
            todos: components["schemas"]["Todo"][];
        };
        /** @description A subagent was created */
        SubagentSpawnedData: {
            /** @description The spawn call in a run's log: `call_` and 26 characters. In a fan-out's log: the task's index, or `then` for the closing run */
            call: string;
            /** @description The subagent (`run_` and 26 characters) */
            run_id: string;
            /** @description Its session (`ses_` and 26 characters) */
            session_id: string;
            /** @description The agent, by its id in the layers */
            agent: string;
            /** @description A short name for people; null: none was given */
            label: string | null;
            /** @description The queue that it is scheduled in: `subagent`, for the closing run `main` */
            lane: string;
            /** @description The first 200 characters of its task */
            task: string;
            /** @description The share of the budget that it was given; absent: there is none */
            allotment?: components["schemas"]["Allotment"];
            /**
             * @description Its end will answer the call
             * @constant
             */
            wait?: true;
            /** @description Skills and servers that its parent has and its own layers have not */
            missing?: string[];
            /** @description Problems that it runs with, as found when it was requested; absent: none */
            warnings?: components["schemas"]["Warning"][];
        };
        /** @description A subagent waits for a person, itself or through one of its own */
        SubagentWaitingData: {
            /** @description The spawn call in a run's log: `call_` and 26 characters. In a fan-out's log: the task's index, or `then` for the closing run */
            call: string;
            /** @description The subagent (`run_` and 26 characters) */
            run_id: string;
            /** @description Order of the notices of this subagent; a lower one is outdated */
            word: number;
            /** @description When its waiting ends by itself (RFC 3339, UTC); null: it does not */
            until: string | null;
            /**
             * @description It waits for answers only, for no approval
             * @constant
             */
            on?: "input";
        };
        /** @description That waiting is over */
        SubagentResumedData: {
            /** @description The spawn call in a run's log: `call_` and 26 characters. In a fan-out's log: the task's index, or `then` for the closing run */
            call: string;
            /** @description The subagent (`run_` and 26 characters) */
            run_id: string;
            /** @description Order of the notices of this subagent; a lower one is outdated */
            word: number;
        };
        /** @description A subagent completed */
        SubagentAnnouncedData: {
            /** @description The spawn call in a run's log: `call_` and 26 characters. In a fan-out's log: the task's index, or `then` for the closing run */
            call: string;
            announce: components["schemas"]["Announce"];
        };
        /** @description A subagent failed, was cancelled or timed out */
        SubagentFailedData: {
            /** @description The spawn call in a run's log: `call_` and 26 characters. In a fan-out's log: the task's index, or `then` for the closing run */
            call: string;
            announce: components["schemas"]["Announce"];
        };
        /** @description Subagents are no longer waited for */
        BarrierReleasedData: {
            /** @description Spawn calls whose results join now, in their order */
            calls: string[];
            /** @description Spawn calls that are no longer waited for */
            missing: string[];
            /**
             * @description `budget`: of a fan-out, whose budget did not suffice for all its tasks
             * @enum {string}
             */
            reason: "joined" | "deadline" | "budget";
        };
        /** @description Cancellation was requested: no new effect starts */
        CancelRequestedData: {
            /**
             * @description `api`: a request. `parent`: the run or fan-out that started it
             * @enum {string}
             */
            by: "api" | "parent";
            /** @description The reason that was given; null: none */
            reason: string | null;
        };
        /** @description The end of a run that has an answer */
        RunCompletedData: {
            /**
             * @description `end_turn`: the model was done; the others are no success by themselves
             * @enum {string}
             */
            stop_reason: "end_turn" | "max_tokens" | "max_steps" | "budget" | "refusal";
            /** @description The final answer */
            output: {
                /** @description The last answer of the model. A large text stands by digest, size and beginning (the transcript has it in full) */
                text: components["schemas"]["LoggedText"];
                /** @description The answer as data, by the `output_schema`; null: none was asked for, or none fits */
                structured: unknown;
                /** @description Keys of files attached to the output */
                attachments: string[];
                /** @description Why the answer does not fit the schema; absent: it does */
                schema_error?: string;
            };
        };
        /** @description The end of a run that could not go on */
        RunFailedData: {
            /**
             * @description `denied` is reserved
             * @enum {string}
             */
            stop_reason: "error" | "denied";
            /** @description Why it failed */
            error: components["schemas"]["RunError"];
            /** @description The step whose model call failed for good, from 0 */
            step?: number;
        };
        /** @description The end of a run that was cancelled */
        RunCancelledData: {
            /**
             * @description Always `cancelled`
             * @constant
             */
            stop_reason: "cancelled";
            /** @description The reason that was given; null: none */
            reason: string | null;
        };
        /** @description The end of a run whose time was over */
        RunTimedOutData: {
            /**
             * @description Always `timeout`
             * @constant
             */
            stop_reason: "timeout";
            /** @description The limit that was reached */
            error: components["schemas"]["RunError"];
        };
        /** @description The fan-out as it was requested */
        FanoutCreatedData: {
            /** @description The fan-out (`fan_` and 26 characters) */
            id: string;
            /** @description Number of tasks it was created with */
            tasks: number;
            /** @description The join policy, with the members of `Join` */
            join: {
                [key: string]: unknown;
            };
            /** @description The run that gets all results; null: there is none */
            closing: {
                /** @description The agent, by its id in the layers */
                agent: string;
                /** @description The run that it will be (`run_` and 26 characters) */
                run_id: string;
            } | null;
            /** @description Approval settings; absent: the defaults */
            approvals?: components["schemas"]["ApprovalSettings"];
            /** @description Problems that tasks run with; absent: none */
            warnings?: components["schemas"]["TaskWarning"][];
            /** @description A short name for people; absent: none */
            label?: string;
            /** @description The caller's own pairs; absent: none */
            metadata?: {
                [key: string]: string;
            };
            /** @description The budget of all its runs; absent: none */
            limits?: components["schemas"]["Allotment"];
            /**
             * @description Tasks follow by pages
             * @constant
             */
            open?: true;
            /** @description The open fan-out whose page this is */
            parent?: {
                /** @description That fan-out (`fan_` and 26 characters) */
                run_id: string;
                /** @description Order of arrival of the page, from 0 */
                call: string;
                /** @description The number of the page, from 0 */
                page: number;
            };
            /** @description Whether warnings about files refuse its runs */
            strict: boolean;
            /** @description `shadow` or `reject`: when layers define the same name */
            on_duplicate: string;
        };
        /** @description A page of an open fan-out has come */
        FanoutExtendedData: {
            /** @description The number of the page, from 0 */
            page: number;
            /** @description Number of tasks in the page */
            tasks: number;
        };
        /** @description No more pages follow */
        FanoutSealedData: {
            /** @description Number of pages */
            pages: number;
            /** @description Number of tasks in all pages */
            tasks: number;
        };
        /** @description The fan-out of a page was created */
        PageStartedData: {
            /** @description Order of arrival of the page, from 0 */
            call: string;
            /** @description The number of the page, from 0 */
            page: number;
            /** @description The fan-out of the page */
            run_id: string;
            /** @description The share of the budget that it was given; absent: there is none */
            allotment?: components["schemas"]["Allotment"];
        };
        /** @description The fan-out of a page has ended */
        PageEndedData: {
            /** @description Order of arrival of the page, from 0 */
            call: string;
            /** @description The result of the page */
            announce: {
                /** @description The fan-out of the page (`fan_` and 26 characters) */
                run_id: string;
                /**
                 * @description Final status
                 * @enum {string}
                 */
                status: "completed" | "failed" | "cancelled" | "timed_out";
                /** @description Why it did not complete; null: it did */
                error: components["schemas"]["RunError"] | null;
                /** @description Where the tasks of the page stand */
                children: components["schemas"]["TaskCounts"];
                /**
                 * @description The budget did not suffice for all its tasks
                 * @constant
                 */
                spent?: true;
                /** @description Of its runs that have reported their end */
                usage: components["schemas"]["Usage"];
                /** @description Budget that descendants which are still running may spend after its end */
                held?: components["schemas"]["Allotment"];
            };
        };
        /** @description The end of a fan-out whose tasks were waited for */
        FanoutCompletedData: {
            /** @description Where the tasks of the fan-out stand */
            children: components["schemas"]["TaskCounts"];
            /** @description Of all its runs that have reported their end */
            usage: components["schemas"]["Usage"];
            /** @description Result of the closing run; null: there was none */
            output: {
                /** @description The closing run (`run_` and 26 characters) */
                run_id: string;
                /** @description Its last answer. A large text stands by digest, size and beginning (the transcript has it in full) */
                text: components["schemas"]["LoggedText"];
                /** @description The answer as data, by the `output_schema`; null: none was asked for, or none fits */
                structured: unknown;
                /** @description Keys of files attached to the output, 20 at the most */
                attachments?: string[];
                /** @description Number of further keys, which only its run lists */
                attachments_left_out?: number;
            } | null;
        };
        /** @description The end of a fan-out that could not go on */
        FanoutFailedData: {
            /** @description Where the tasks of the fan-out stand */
            children: components["schemas"]["TaskCounts"];
            /** @description Of all its runs that have reported their end */
            usage: components["schemas"]["Usage"];
            /** @description Why it failed */
            error: components["schemas"]["RunError"];
        };
        /** @description The end of a fan-out that was cancelled */
        FanoutCancelledData: {
            /** @description Where the tasks of the fan-out stand */
            children: components["schemas"]["TaskCounts"];
            /** @description Of all its runs that have reported their end */
            usage: components["schemas"]["Usage"];
            /** @description The reason that was given; null: none */
            reason: string | null;
        };
        /** @description Members of every event of a run */
        EventBase: {
            /** @description The event (`evt_` and 26 characters) */
            id: string;
            /** @description The run in whose log it stands (`run_` and 26 characters) */
            run_id: string;
            /** @description Dense per run, from 1; 0: in no log, since it had ended (webhooks only) */
            seq: number;
            /** @description When it happened; it never goes back within a log (RFC 3339, UTC) */
            created_at: string;
        };
        /** @description Members of every event of a fan-out */
        FanoutEventBase: {
            /** @description The event (`evt_` and 26 characters) */
            id: string;
            /** @description The fan-out in whose log it stands (`fan_` and 26 characters) */
            run_id: string;
            /** @description Dense per fan-out, from 1; 0: in no log, since it had ended (webhooks only) */
            seq: number;
            /** @description When it happened; it never goes back within a log (RFC 3339, UTC) */
            created_at: string;
        };
        /** @description An entry `fanout.created` in the log of a fan-out */
        FanoutCreatedEvent: components["schemas"]["FanoutEventBase"] & {
            /**
             * @description Always `fanout.created`: it says what `data` holds
             * @constant
             */
            type: "fanout.created";
            data: components["schemas"]["FanoutCreatedData"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "fanout.created";
        };
        /** @description An entry `fanout.extended` in the log of a fan-out */
        FanoutExtendedEvent: components["schemas"]["FanoutEventBase"] & {
            /**
             * @description Always `fanout.extended`: it says what `data` holds
             * @constant
             */
            type: "fanout.extended";
            data: components["schemas"]["FanoutExtendedData"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "fanout.extended";
        };
        /** @description An entry `fanout.sealed` in the log of a fan-out */
        FanoutSealedEvent: components["schemas"]["FanoutEventBase"] & {
            /**
             * @description Always `fanout.sealed`: it says what `data` holds
             * @constant
             */
            type: "fanout.sealed";
            data: components["schemas"]["FanoutSealedData"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "fanout.sealed";
        };
        /** @description An entry `page.started` in the log of a fan-out */
        PageStartedEvent: components["schemas"]["FanoutEventBase"] & {
            /**
             * @description Always `page.started`: it says what `data` holds
             * @constant
             */
            type: "page.started";
            data: components["schemas"]["PageStartedData"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "page.started";
        };
        /** @description An entry `page.ended` in the log of a fan-out */
        PageEndedEvent: components["schemas"]["FanoutEventBase"] & {
            /**
             * @description Always `page.ended`: it says what `data` holds
             * @constant
             */
            type: "page.ended";
            data: components["schemas"]["PageEndedData"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "page.ended";
        };
        /** @description An entry `fanout.completed` in the log of a fan-out */
        FanoutCompletedEvent: components["schemas"]["FanoutEventBase"] & {
            /**
             * @description Always `fanout.completed`: it says what `data` holds
             * @constant
             */
            type: "fanout.completed";
            data: components["schemas"]["FanoutCompletedData"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "fanout.completed";
        };
        /** @description An entry `fanout.failed` in the log of a fan-out */
        FanoutFailedEvent: components["schemas"]["FanoutEventBase"] & {
            /**
             * @description Always `fanout.failed`: it says what `data` holds
             * @constant
             */
            type: "fanout.failed";
            data: components["schemas"]["FanoutFailedData"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "fanout.failed";
        };
        /** @description An entry `fanout.cancelled` in the log of a fan-out */
        FanoutCancelledEvent: components["schemas"]["FanoutEventBase"] & {
            /**
             * @description Always `fanout.cancelled`: it says what `data` holds
             * @constant
             */
            type: "fanout.cancelled";
            data: components["schemas"]["FanoutCancelledData"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "fanout.cancelled";
        };
        /** @description An entry `subagent.spawned` in the log of a fan-out */
        FanoutSubagentSpawnedEvent: components["schemas"]["FanoutEventBase"] & {
            /**
             * @description Always `subagent.spawned`: it says what `data` holds
             * @constant
             */
            type: "subagent.spawned";
            data: components["schemas"]["SubagentSpawnedData"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "subagent.spawned";
        };
        /** @description An entry `subagent.announced` in the log of a fan-out */
        FanoutSubagentAnnouncedEvent: components["schemas"]["FanoutEventBase"] & {
            /**
             * @description Always `subagent.announced`: it says what `data` holds
             * @constant
             */
            type: "subagent.announced";
            data: components["schemas"]["SubagentAnnouncedData"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "subagent.announced";
        };
        /** @description An entry `subagent.failed` in the log of a fan-out */
        FanoutSubagentFailedEvent: components["schemas"]["FanoutEventBase"] & {
            /**
             * @description Always `subagent.failed`: it says what `data` holds
             * @constant
             */
            type: "subagent.failed";
            data: components["schemas"]["SubagentFailedData"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "subagent.failed";
        };
        /** @description An entry `barrier.released` in the log of a fan-out */
        FanoutBarrierReleasedEvent: components["schemas"]["FanoutEventBase"] & {
            /**
             * @description Always `barrier.released`: it says what `data` holds
             * @constant
             */
            type: "barrier.released";
            data: components["schemas"]["BarrierReleasedData"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "barrier.released";
        };
        /** @description An entry `cancel.requested` in the log of a fan-out */
        FanoutCancelRequestedEvent: components["schemas"]["FanoutEventBase"] & {
            /**
             * @description Always `cancel.requested`: it says what `data` holds
             * @constant
             */
            type: "cancel.requested";
            data: components["schemas"]["CancelRequestedData"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "cancel.requested";
        };
        /** @description An entry in the log of a fan-out */
        FanoutEvent: components["schemas"]["FanoutCreatedEvent"] | components["schemas"]["FanoutExtendedEvent"] | components["schemas"]["FanoutSealedEvent"] | components["schemas"]["PageStartedEvent"] | components["schemas"]["PageEndedEvent"] | components["schemas"]["FanoutCompletedEvent"] | components["schemas"]["FanoutFailedEvent"] | components["schemas"]["FanoutCancelledEvent"] | components["schemas"]["FanoutSubagentSpawnedEvent"] | components["schemas"]["FanoutSubagentAnnouncedEvent"] | components["schemas"]["FanoutSubagentFailedEvent"] | components["schemas"]["FanoutBarrierReleasedEvent"] | components["schemas"]["FanoutCancelRequestedEvent"];
        /** @description An entry `run.created` in the log of a run */
        RunCreatedEvent: components["schemas"]["EventBase"] & {
            /**
             * @description Always `run.created`: it says what `data` holds
             * @constant
             */
            type: "run.created";
            data: components["schemas"]["RunCreatedData"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "run.created";
        };
        /** @description An entry `run.started` in the log of a run */
        RunStartedEvent: components["schemas"]["EventBase"] & {
            /**
             * @description Always `run.started`: it says what `data` holds
             * @constant
             */
            type: "run.started";
            data: components["schemas"]["RunStartedData"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "run.started";
        };
        /** @description An entry `run.waiting` in the log of a run */
        RunWaitingEvent: components["schemas"]["EventBase"] & {
            /**
             * @description Always `run.waiting`: it says what `data` holds
             * @constant
             */
            type: "run.waiting";
            data: components["schemas"]["RunWaitingData"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "run.waiting";
        };
        /** @description An entry `run.resumed` in the log of a run */
        RunResumedEvent: components["schemas"]["EventBase"] & {
            /**
             * @description Always `run.resumed`: it says what `data` holds
             * @constant
             */
            type: "run.resumed";
            data: components["schemas"]["RunResumedData"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "run.resumed";
        };
        /** @description An entry `assistant.message` in the log of a run */
        AssistantMessageEvent: components["schemas"]["EventBase"] & {
            /**
             * @description Always `assistant.message`: it says what `data` holds
             * @constant
             */
            type: "assistant.message";
            data: components["schemas"]["AssistantMessageData"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "assistant.message";
        };
        /** @description An entry `tool.call` in the log of a run */
        ToolCallEvent: components["schemas"]["EventBase"] & {
            /**
             * @description Always `tool.call`: it says what `data` holds
             * @constant
             */
            type: "tool.call";
            data: components["schemas"]["ToolCallData"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "tool.call";
        };
        /** @description An entry `tool.result` in the log of a run */
        ToolResultEvent: components["schemas"]["EventBase"] & {
            /**
             * @description Always `tool.result`: it says what `data` holds
             * @constant
             */
            type: "tool.result";
            data: components["schemas"]["ToolResultData"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "tool.result";
        };
        /** @description An entry `transcript.compacted` in the log of a run */
        TranscriptCompactedEvent: components["schemas"]["EventBase"] & {
            /**
             * @description Always `transcript.compacted`: it says what `data` holds
             * @constant
             */
            type: "transcript.compacted";
            data: components["schemas"]["TranscriptCompactedData"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "transcript.compacted";
        };
        /** @description An entry `memory.noted` in the log of a run */
        MemoryNotedEvent: components["schemas"]["EventBase"] & {
            /**
             * @description Always `memory.noted`: it says what `data` holds
             * @constant
             */
            type: "memory.noted";
            data: components["schemas"]["MemoryNotedData"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "memory.noted";
        };
        /** @description An entry `memory.flushed` in the log of a run */
        MemoryFlushedEvent: components["schemas"]["EventBase"] & {
            /**
             * @description Always `memory.flushed`: it says what `data` holds
             * @constant
             */
            type: "memory.flushed";
            data: components["schemas"]["MemoryFlushedData"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "memory.flushed";
        };
        /** @description An entry `skill.activated` in the log of a run */
        SkillActivatedEvent: components["schemas"]["EventBase"] & {
            /**
             * @description Always `skill.activated`: it says what `data` holds
             * @constant
             */
            type: "skill.activated";
            data: components["schemas"]["SkillActivatedData"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "skill.activated";
        };
        /** @description An entry `assistant.discarded` in the log of a run */
        AssistantDiscardedEvent: components["schemas"]["EventBase"] & {
            /**
             * @description Always `assistant.discarded`: it says what `data` holds
             * @constant
             */
            type: "assistant.discarded";
            data: components["schemas"]["AssistantDiscardedData"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "assistant.discarded";
        };
        /** @description An entry `clock.stepped` in the log of a run */
        ClockSteppedEvent: components["schemas"]["EventBase"] & {
            /**
             * @description Always `clock.stepped`: it says what `data` holds
             * @constant
             */
            type: "clock.stepped";
            data: components["schemas"]["ClockSteppedData"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "clock.stepped";
        };
        /** @description An entry `approval.requested` in the log of a run */
        ApprovalRequestedEvent: components["schemas"]["EventBase"] & {
            /**
             * @description Always `approval.requested`: it says what `data` holds
             * @constant
             */
            type: "approval.requested";
            data: components["schemas"]["ApprovalRequestedData"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "approval.requested";
        };
        /** @description An entry `approval.decided` in the log of a run */
        ApprovalDecidedEvent: components["schemas"]["EventBase"] & {
            /**
             * @description Always `approval.decided`: it says what `data` holds
             * @constant
             */
            type: "approval.decided";
            data: components["schemas"]["ApprovalDecidedData"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "approval.decided";
        };
        /** @description An entry `message.received` in the log of a run */
        MessageReceivedEvent: components["schemas"]["EventBase"] & {
            /**
             * @description Always `message.received`: it says what `data` holds
             * @constant
             */
            type: "message.received";
            data: components["schemas"]["MessageReceivedData"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "message.received";
        };
        /** @description An entry `tool.paused` in the log of a run */
        ToolPausedEvent: components["schemas"]["EventBase"] & {
            /**
             * @description Always `tool.paused`: it says what `data` holds
             * @constant
             */
            type: "tool.paused";
            data: components["schemas"]["ToolPausedData"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "tool.paused";
        };
        /** @description An entry `question.asked` in the log of a run */
        QuestionAskedEvent: components["schemas"]["EventBase"] & {
            /**
             * @description Always `question.asked`: it says what `data` holds
             * @constant
             */
            type: "question.asked";
            data: components["schemas"]["QuestionAskedData"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "question.asked";
        };
        /** @description An entry `question.answered` in the log of a run */
        QuestionAnsweredEvent: components["schemas"]["EventBase"] & {
            /**
             * @description Always `question.answered`: it says what `data` holds
             * @constant
             */
            type: "question.answered";
            data: components["schemas"]["QuestionAnsweredData"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "question.answered";
        };
        /** @description An entry `todos.updated` in the log of a run */
        TodosUpdatedEvent: components["schemas"]["EventBase"] & {
            /**
             * @description Always `todos.updated`: it says what `data` holds
             * @constant
             */
            type: "todos.updated";
            data: components["schemas"]["TodosUpdatedData"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "todos.updated";
        };
        /** @description An entry `subagent.spawned` in the log of a run */
        SubagentSpawnedEvent: components["schemas"]["EventBase"] & {
            /**
             * @description Always `subagent.spawned`: it says what `data` holds
             * @constant
             */
            type: "subagent.spawned";
            data: components["schemas"]["SubagentSpawnedData"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "subagent.spawned";
        };
        /** @description An entry `subagent.waiting` in the log of a run */
        SubagentWaitingEvent: components["schemas"]["EventBase"] & {
            /**
             * @description Always `subagent.waiting`: it says what `data` holds
             * @constant
             */
            type: "subagent.waiting";
            data: components["schemas"]["SubagentWaitingData"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "subagent.waiting";
        };
        /** @description An entry `subagent.resumed` in the log of a run */
        SubagentResumedEvent: components["schemas"]["EventBase"] & {
            /**
             * @description Always `subagent.resumed`: it says what `data` holds
             * @constant
             */
            type: "subagent.resumed";
            data: components["schemas"]["SubagentResumedData"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "subagent.resumed";
        };
        /** @description An entry `subagent.announced` in the log of a run */
        SubagentAnnouncedEvent: components["schemas"]["EventBase"] & {
            /**
             * @description Always `subagent.announced`: it says what `data` holds
             * @constant
             */
            type: "subagent.announced";
            data: components["schemas"]["SubagentAnnouncedData"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "subagent.announced";
        };
        /** @description An entry `subagent.failed` in the log of a run */
        SubagentFailedEvent: components["schemas"]["EventBase"] & {
            /**
             * @description Always `subagent.failed`: it says what `data` holds
             * @constant
             */
            type: "subagent.failed";
            data: components["schemas"]["SubagentFailedData"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "subagent.failed";
        };
        /** @description An entry `barrier.released` in the log of a run */
        BarrierReleasedEvent: components["schemas"]["EventBase"] & {
            /**
             * @description Always `barrier.released`: it says what `data` holds
             * @constant
             */
            type: "barrier.released";
            data: components["schemas"]["BarrierReleasedData"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "barrier.released";
        };
        /** @description An entry `cancel.requested` in the log of a run */
        CancelRequestedEvent: components["schemas"]["EventBase"] & {
            /**
             * @description Always `cancel.requested`: it says what `data` holds
             * @constant
             */
            type: "cancel.requested";
            data: components["schemas"]["CancelRequestedData"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "cancel.requested";
        };
        /** @description An entry `run.completed` in the log of a run */
        RunCompletedEvent: components["schemas"]["EventBase"] & {
            /**
             * @description Always `run.completed`: it says what `data` holds
             * @constant
             */
            type: "run.completed";
            data: components["schemas"]["RunCompletedData"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "run.completed";
        };
        /** @description An entry `run.failed` in the log of a run */
        RunFailedEvent: components["schemas"]["EventBase"] & {
            /**
             * @description Always `run.failed`: it says what `data` holds
             * @constant
             */
            type: "run.failed";
            data: components["schemas"]["RunFailedData"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "run.failed";
        };
        /** @description An entry `run.cancelled` in the log of a run */
        RunCancelledEvent: components["schemas"]["EventBase"] & {
            /**
             * @description Always `run.cancelled`: it says what `data` holds
             * @constant
             */
            type: "run.cancelled";
            data: components["schemas"]["RunCancelledData"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "run.cancelled";
        };
        /** @description An entry `run.timed_out` in the log of a run */
        RunTimedOutEvent: components["schemas"]["EventBase"] & {
            /**
             * @description Always `run.timed_out`: it says what `data` holds
             * @constant
             */
            type: "run.timed_out";
            data: components["schemas"]["RunTimedOutData"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "run.timed_out";
        };
        /** @description An entry in the log of a run */
        Event: components["schemas"]["RunCreatedEvent"] | components["schemas"]["RunStartedEvent"] | components["schemas"]["RunWaitingEvent"] | components["schemas"]["RunResumedEvent"] | components["schemas"]["AssistantMessageEvent"] | components["schemas"]["ToolCallEvent"] | components["schemas"]["ToolResultEvent"] | components["schemas"]["TranscriptCompactedEvent"] | components["schemas"]["MemoryNotedEvent"] | components["schemas"]["MemoryFlushedEvent"] | components["schemas"]["SkillActivatedEvent"] | components["schemas"]["AssistantDiscardedEvent"] | components["schemas"]["ClockSteppedEvent"] | components["schemas"]["ApprovalRequestedEvent"] | components["schemas"]["ApprovalDecidedEvent"] | components["schemas"]["MessageReceivedEvent"] | components["schemas"]["ToolPausedEvent"] | components["schemas"]["QuestionAskedEvent"] | components["schemas"]["QuestionAnsweredEvent"] | components["schemas"]["TodosUpdatedEvent"] | components["schemas"]["SubagentSpawnedEvent"] | components["schemas"]["SubagentWaitingEvent"] | components["schemas"]["SubagentResumedEvent"] | components["schemas"]["SubagentAnnouncedEvent"] | components["schemas"]["SubagentFailedEvent"] | components["schemas"]["BarrierReleasedEvent"] | components["schemas"]["CancelRequestedEvent"] | components["schemas"]["RunCompletedEvent"] | components["schemas"]["RunFailedEvent"] | components["schemas"]["RunCancelledEvent"] | components["schemas"]["RunTimedOutEvent"];
        /** @description Members of every event of the tenant's own */
        TenantEventBase: {
            /** @description The event (`evt_` and 26 characters) */
            id: string;
            /** @description Null: the event belongs to no run */
            run_id: null;
            /** @description Rises with each change of the endpoint, schedule or session; 0: a test */
            seq: number;
            /** @description When it happened (RFC 3339, UTC) */
            created_at: string;
            /**
             * @description A test: nothing has happened
             * @constant
             */
            test?: true;
        };
        /** @description An event `endpoint.disabled`, which stands in no log */
        EndpointDisabledEvent: components["schemas"]["TenantEventBase"] & {
            /**
             * @description Always `endpoint.disabled`: it says what `data` holds
             * @constant
             */
            type: "endpoint.disabled";
            /** @description An endpoint was disabled; sent to the other endpoints */
            data: {
                /** @description The endpoint (`whe_` and 26 characters) */
                endpoint_id: string;
                /** @description Target of the POST requests */
                url: string;
                /**
                 * @description `gone`: it answered 410. `failing`: five days of nothing but failures. `by_hand`: a request
                 * @enum {string}
                 */
                reason: "gone" | "failing" | "by_hand";
                /** @description Start of an unbroken series of failures (RFC 3339, UTC); null: the last attempt succeeded, or there was none */
                failing_since: string | null;
            };
        };
        /** @description An event `schedule.disabled`, which stands in no log */
        ScheduleDisabledEvent: components["schemas"]["TenantEventBase"] & {
            /**
             * @description Always `schedule.disabled`: it says what `data` holds
             * @constant
             */
            type: "schedule.disabled";
            /** @description A schedule has paused itself; it starts nothing until it is resumed */
            data: {
                /** @description The schedule (`sch_` and 26 characters) */
                schedule_id: string;
                /** @description One name is one schedule */
                name: string;
                /**
                 * @description `failing`: its runs failed, one after another. `source`: the file that defines it is gone or wrong; it goes on by itself when the file is right
                 * @enum {string}
                 */
                reason: "failing" | "source";
                /** @description The error of the last run, or of the file; null: there was none */
                detail: string | null;
                /** @description Runs in a row that failed */
                failures: number;
                /** @description The last of them (`run_` and 26 characters); null: it is not known */
                last_run_id: string | null;
            };
        };
        /** @description An event `endpoint.test`, which stands in no log */
        EndpointTestEvent: components["schemas"]["TenantEventBase"] & {
            /**
             * @description Always `endpoint.test`: it says what `data` holds
             * @constant
             */
            type: "endpoint.test";
            /** @description A test event that was requested */
            data: {
                /** @description The endpoint (`whe_` and 26 characters) */
                endpoint_id: string;
            };
        };
        /** @description What every event of a session says of it */
        SessionDataBase: {
            /** @description The session (`ses_` and 26 characters) */
            session_id: string;
            /** @description The agent of the next turn that names none; null: `general` */
            agent: string | null;
            /** @description As people call it; null: nobody has named it */
            title: string | null;
            /** @description Whether it is put away */
            archived: boolean;
            /** @description How long it is kept when nothing happens in it; null: until it is deleted */
            retention_seconds: number | null;
            /** @description The caller's own pairs for this session; empty: none */
            metadata: {
                [key: string]: string;
            };
        };
        /** @description An event `session.created`, which stands in no log */
        SessionCreatedEvent: components["schemas"]["TenantEventBase"] & {
            /**
             * @description Always `session.created`: it says what `data` holds
             * @constant
             */
            type: "session.created";
            /** @description A request has created a session; a run that opens one sends no such event */
            data: components["schemas"]["SessionDataBase"];
        };
        /** @description An event `session.updated`, which stands in no log */
        SessionUpdatedEvent: components["schemas"]["TenantEventBase"] & {
            /**
             * @description Always `session.updated`: it says what `data` holds
             * @constant
             */
            type: "session.updated";
            /** @description Somebody has changed a session, as it now is */
            data: components["schemas"]["SessionDataBase"] & {
                /** @description Members that are other ones than before */
                changed: ("title" | "agent" | "metadata" | "archived" | "retention_seconds")[];
            };
        };
        /** @description An event `session.forked`, which stands in no log */
        SessionForkedEvent: components["schemas"]["TenantEventBase"] & {
            /**
             * @description Always `session.forked`: it says what `data` holds
             * @constant
             */
            type: "session.forked";
            /** @description A new session goes on from a message of another one */
            data: components["schemas"]["SessionDataBase"] & {
                /** @description Where it goes on from */
                forked_from: {
                    /** @description The other session (`ses_` and 26 characters) */
                    session_id: string;
                    /** @description Its last message that was kept */
                    position: string;
                };
            };
        };
        /** @description An event `session.deleted`, which stands in no log */
        SessionDeletedEvent: components["schemas"]["TenantEventBase"] & {
            /**
             * @description Always `session.deleted`: it says what `data` holds
             * @constant
             */
            type: "session.deleted";
            /** @description A session was deleted, as it last was */
            data: components["schemas"]["SessionDataBase"] & {
                /**
                 * @description Somebody deleted it, or nothing had happened in it for as long as it is kept
                 * @enum {string}
                 */
                reason: "requested" | "retention";
            };
        };
        /** @description Members of every event of a run in a webhook */
        RunWebhookEventBase: components["schemas"]["EventBase"] & {
            /** @description The session of the run (`ses_` and 26 characters); null: a fan-out has none */
            session_id: string | null;
            /** @description The caller's own pairs for the run or fan-out; empty: none */
            metadata: {
                [key: string]: string;
            };
            /** @description Usage so far; with the end of a run, all of it */
            usage: components["schemas"]["Usage"];
            /** @description The final answer; only with `run.completed` and `fanout.completed` */
            output?: {
                /** @description The whole text, unless `truncated` */
                text: string;
                /**
                 * @description The text is its beginning: `href` has it all
                 * @constant
                 */
                truncated?: true;
                /** @description The answer as data, by the `output_schema`; null: none was asked for, or none fits */
                structured?: unknown;
            } & {
                [key: string]: unknown;
            };
            /** @description Why it did not complete, at such an end */
            error?: components["schemas"]["RunError"];
        };
        /** @description Members of every event of a fan-out in a webhook */
        FanoutWebhookEventBase: components["schemas"]["FanoutEventBase"] & {
            /** @description The session of the run (`ses_` and 26 characters); null: a fan-out has none */
            session_id: string | null;
            /** @description The caller's own pairs for the run or fan-out; empty: none */
            metadata: {
                [key: string]: string;
            };
            /** @description Usage so far; with the end of a run, all of it */
            usage: components["schemas"]["Usage"];
            /** @description The final answer; only with `run.completed` and `fanout.completed` */
            output?: {
                /** @description The whole text, unless `truncated` */
                text: string;
                /**
                 * @description The text is its beginning: `href` has it all
                 * @constant
                 */
                truncated?: true;
                /** @description The answer as data, by the `output_schema`; null: none was asked for, or none fits */
                structured?: unknown;
            } & {
                [key: string]: unknown;
            };
            /** @description Why it did not complete, at such an end */
            error?: components["schemas"]["RunError"];
        };
        /** @description Members of the body of every webhook */
        WebhookBase: {
            /** @description When it happened (RFC 3339, UTC) */
            timestamp: string;
        };
        /** @description The body of a webhook `run.completed` */
        RunCompletedWebhook: components["schemas"]["WebhookBase"] & {
            /**
             * @description Always `run.completed`, as in `data`
             * @constant
             */
            type: "run.completed";
            /** @description The event; above 20,480 bytes without its data, with `href` to fetch it */
            data: (components["schemas"]["RunWebhookEventBase"] & {
                /**
                 * @description Always `run.completed`: it says what `data` holds
                 * @constant
                 */
                type: "run.completed";
                data: components["schemas"]["RunCompletedData"];
            }) | (components["schemas"]["RunWebhookEventBase"] & {
                /**
                 * @description Always `run.completed`: it says what `data` holds
                 * @constant
                 */
                type: "run.completed";
                /** @description Path of the request that returns the whole event */
                href: string;
            });
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "run.completed";
        };
        /** @description The body of a webhook `run.failed` */
        RunFailedWebhook: components["schemas"]["WebhookBase"] & {
            /**
             * @description Always `run.failed`, as in `data`
             * @constant
             */
            type: "run.failed";
            /** @description The event; above 20,480 bytes without its data, with `href` to fetch it */
            data: (components["schemas"]["RunWebhookEventBase"] & {
                /**
                 * @description Always `run.failed`: it says what `data` holds
                 * @constant
                 */
                type: "run.failed";
                data: components["schemas"]["RunFailedData"];
            }) | (components["schemas"]["RunWebhookEventBase"] & {
                /**
                 * @description Always `run.failed`: it says what `data` holds
                 * @constant
                 */
                type: "run.failed";
                /** @description Path of the request that returns the whole event */
                href: string;
            });
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "run.failed";
        };
        /** @description The body of a webhook `run.cancelled` */
        RunCancelledWebhook: components["schemas"]["WebhookBase"] & {
            /**
             * @description Always `run.cancelled`, as in `data`
             * @constant
             */
            type: "run.cancelled";
            /** @description The event; above 20,480 bytes without its data, with `href` to fetch it */
            data: (components["schemas"]["RunWebhookEventBase"] & {
                /**
                 * @description Always `run.cancelled`: it says what `data` holds
                 * @constant
                 */
                type: "run.cancelled";
                data: components["schemas"]["RunCancelledData"];
            }) | (components["schemas"]["RunWebhookEventBase"] & {
                /**
                 * @description Always `run.cancelled`: it says what `data` holds
                 * @constant
                 */
                type: "run.cancelled";
                /** @description Path of the request that returns the whole event */
                href: string;
            });
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "run.cancelled";
        };
        /** @description The body of a webhook `run.timed_out` */
        RunTimedOutWebhook: components["schemas"]["WebhookBase"] & {
            /**
             * @description Always `run.timed_out`, as in `data`
             * @constant
             */
            type: "run.timed_out";
            /** @description The event; above 20,480 bytes without its data, with `href` to fetch it */
            data: (components["schemas"]["RunWebhookEventBase"] & {
                /**
                 * @description Always `run.timed_out`: it says what `data` holds
                 * @constant
                 */
                type: "run.timed_out";
                data: components["schemas"]["RunTimedOutData"];
            }) | (components["schemas"]["RunWebhookEventBase"] & {
                /**
                 * @description Always `run.timed_out`: it says what `data` holds
                 * @constant
                 */
                type: "run.timed_out";
                /** @description Path of the request that returns the whole event */
                href: string;
            });
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "run.timed_out";
        };
        /** @description The body of a webhook `approval.requested` */
        ApprovalRequestedWebhook: components["schemas"]["WebhookBase"] & {
            /**
             * @description Always `approval.requested`, as in `data`
             * @constant
             */
            type: "approval.requested";
            /** @description The event; above 20,480 bytes without its data, with `href` to fetch it */
            data: (components["schemas"]["RunWebhookEventBase"] & {
                /**
                 * @description Always `approval.requested`: it says what `data` holds
                 * @constant
                 */
                type: "approval.requested";
                data: components["schemas"]["ApprovalRequestedData"];
            }) | (components["schemas"]["RunWebhookEventBase"] & {
                /**
                 * @description Always `approval.requested`: it says what `data` holds
                 * @constant
                 */
                type: "approval.requested";
                /** @description Path of the request that returns the whole event */
                href: string;
            });
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "approval.requested";
        };
        /** @description The body of a webhook `question.asked` */
        QuestionAskedWebhook: components["schemas"]["WebhookBase"] & {
            /**
             * @description Always `question.asked`, as in `data`
             * @constant
             */
            type: "question.asked";
            /** @description The event; above 20,480 bytes without its data, with `href` to fetch it */
            data: (components["schemas"]["RunWebhookEventBase"] & {
                /**
                 * @description Always `question.asked`: it says what `data` holds
                 * @constant
                 */
                type: "question.asked";
                data: components["schemas"]["QuestionAskedData"];
            }) | (components["schemas"]["RunWebhookEventBase"] & {
                /**
                 * @description Always `question.asked`: it says what `data` holds
                 * @constant
                 */
                type: "question.asked";
                /** @description Path of the request that returns the whole event */
                href: string;
            });
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "question.asked";
        };
        /** @description The body of a webhook `question.answered` */
        QuestionAnsweredWebhook: components["schemas"]["WebhookBase"] & {
            /**
             * @description Always `question.answered`, as in `data`
             * @constant
             */
            type: "question.answered";
            /** @description The event; above 20,480 bytes without its data, with `href` to fetch it */
            data: (components["schemas"]["RunWebhookEventBase"] & {
                /**
                 * @description Always `question.answered`: it says what `data` holds
                 * @constant
                 */
                type: "question.answered";
                data: components["schemas"]["QuestionAnsweredData"];
            }) | (components["schemas"]["RunWebhookEventBase"] & {
                /**
                 * @description Always `question.answered`: it says what `data` holds
                 * @constant
                 */
                type: "question.answered";
                /** @description Path of the request that returns the whole event */
                href: string;
            });
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "question.answered";
        };
        /** @description The body of a webhook `todos.updated` */
        TodosUpdatedWebhook: components["schemas"]["WebhookBase"] & {
            /**
             * @description Always `todos.updated`, as in `data`
             * @constant
             */
            type: "todos.updated";
            /** @description The event; above 20,480 bytes without its data, with `href` to fetch it */
            data: (components["schemas"]["RunWebhookEventBase"] & {
                /**
                 * @description Always `todos.updated`: it says what `data` holds
                 * @constant
                 */
                type: "todos.updated";
                data: components["schemas"]["TodosUpdatedData"];
            }) | (components["schemas"]["RunWebhookEventBase"] & {
                /**
                 * @description Always `todos.updated`: it says what `data` holds
                 * @constant
                 */
                type: "todos.updated";
                /** @description Path of the request that returns the whole event */
                href: string;
            });
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "todos.updated";
        };
        /** @description The body of a webhook `subagent.spawned` */
        SubagentSpawnedWebhook: components["schemas"]["WebhookBase"] & {
            /**
             * @description Always `subagent.spawned`, as in `data`
             * @constant
             */
            type: "subagent.spawned";
            /** @description The event; above 20,480 bytes without its data, with `href` to fetch it */
            data: (components["schemas"]["RunWebhookEventBase"] & {
                /**
                 * @description Always `subagent.spawned`: it says what `data` holds
                 * @constant
                 */
                type: "subagent.spawned";
                data: components["schemas"]["SubagentSpawnedData"];
            }) | (components["schemas"]["RunWebhookEventBase"] & {
                /**
                 * @description Always `subagent.spawned`: it says what `data` holds
                 * @constant
                 */
                type: "subagent.spawned";
                /** @description Path of the request that returns the whole event */
                href: string;
            });
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "subagent.spawned";
        };
        /** @description The body of a webhook `subagent.announced` */
        SubagentAnnouncedWebhook: components["schemas"]["WebhookBase"] & {
            /**
             * @description Always `subagent.announced`, as in `data`
             * @constant
             */
            type: "subagent.announced";
            /** @description The event; above 20,480 bytes without its data, with `href` to fetch it */
            data: (components["schemas"]["RunWebhookEventBase"] & {
                /**
                 * @description Always `subagent.announced`: it says what `data` holds
                 * @constant
                 */
                type: "subagent.announced";
                data: components["schemas"]["SubagentAnnouncedData"];
            }) | (components["schemas"]["RunWebhookEventBase"] & {
                /**
                 * @description Always `subagent.announced`: it says what `data` holds
                 * @constant
                 */
                type: "subagent.announced";
                /** @description Path of the request that returns the whole event */
                href: string;
            });
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "subagent.announced";
        };
        /** @description The body of a webhook `subagent.failed` */
        SubagentFailedWebhook: components["schemas"]["WebhookBase"] & {
            /**
             * @description Always `subagent.failed`, as in `data`
             * @constant
             */
            type: "subagent.failed";
            /** @description The event; above 20,480 bytes without its data, with `href` to fetch it */
            data: (components["schemas"]["RunWebhookEventBase"] & {
                /**
                 * @description Always `subagent.failed`: it says what `data` holds
                 * @constant
                 */
                type: "subagent.failed";
                data: components["schemas"]["SubagentFailedData"];
            }) | (components["schemas"]["RunWebhookEventBase"] & {
                /**
                 * @description Always `subagent.failed`: it says what `data` holds
                 * @constant
                 */
                type: "subagent.failed";
                /** @description Path of the request that returns the whole event */
                href: string;
            });
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "subagent.failed";
        };
        /** @description The body of a webhook `fanout.created` */
        FanoutCreatedWebhook: components["schemas"]["WebhookBase"] & {
            /**
             * @description Always `fanout.created`, as in `data`
             * @constant
             */
            type: "fanout.created";
            /** @description The event; above 20,480 bytes without its data, with `href` to fetch it */
            data: (components["schemas"]["FanoutWebhookEventBase"] & {
                /**
                 * @description Always `fanout.created`: it says what `data` holds
                 * @constant
                 */
                type: "fanout.created";
                data: components["schemas"]["FanoutCreatedData"];
            }) | (components["schemas"]["FanoutWebhookEventBase"] & {
                /**
                 * @description Always `fanout.created`: it says what `data` holds
                 * @constant
                 */
                type: "fanout.created";
                /** @description Path of the request that returns the whole event */
                href: string;
            });
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "fanout.created";
        };
        /** @description The body of a webhook `fanout.completed` */
        FanoutCompletedWebhook: components["schemas"]["WebhookBase"] & {
            /**
             * @description Always `fanout.completed`, as in `data`
             * @constant
             */
            type: "fanout.completed";
            /** @description The event; above 20,480 bytes without its data, with `href` to fetch it */
            data: (components["schemas"]["FanoutWebhookEventBase"] & {
                /**
                 * @description Always `fanout.completed`: it says what `data` holds
                 * @constant
                 */
                type: "fanout.completed";
                data: components["schemas"]["FanoutCompletedData"];
            }) | (components["schemas"]["FanoutWebhookEventBase"] & {
                /**
                 * @description Always `fanout.completed`: it says what `data` holds
                 * @constant
                 */
                type: "fanout.completed";
                /** @description Path of the request that returns the whole event */
                href: string;
            });
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "fanout.completed";
        };
        /** @description The body of a webhook `fanout.failed` */
        FanoutFailedWebhook: components["schemas"]["WebhookBase"] & {
            /**
             * @description Always `fanout.failed`, as in `data`
             * @constant
             */
            type: "fanout.failed";
            /** @description The event; above 20,480 bytes without its data, with `href` to fetch it */
            data: (components["schemas"]["FanoutWebhookEventBase"] & {
                /**
                 * @description Always `fanout.failed`: it says what `data` holds
                 * @constant
                 */
                type: "fanout.failed";
                data: components["schemas"]["FanoutFailedData"];
            }) | (components["schemas"]["FanoutWebhookEventBase"] & {
                /**
                 * @description Always `fanout.failed`: it says what `data` holds
                 * @constant
                 */
                type: "fanout.failed";
                /** @description Path of the request that returns the whole event */
                href: string;
            });
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "fanout.failed";
        };
        /** @description The body of a webhook `fanout.cancelled` */
        FanoutCancelledWebhook: components["schemas"]["WebhookBase"] & {
            /**
             * @description Always `fanout.cancelled`, as in `data`
             * @constant
             */
            type: "fanout.cancelled";
            /** @description The event; above 20,480 bytes without its data, with `href` to fetch it */
            data: (components["schemas"]["FanoutWebhookEventBase"] & {
                /**
                 * @description Always `fanout.cancelled`: it says what `data` holds
                 * @constant
                 */
                type: "fanout.cancelled";
                data: components["schemas"]["FanoutCancelledData"];
            }) | (components["schemas"]["FanoutWebhookEventBase"] & {
                /**
                 * @description Always `fanout.cancelled`: it says what `data` holds
                 * @constant
                 */
                type: "fanout.cancelled";
                /** @description Path of the request that returns the whole event */
                href: string;
            });
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "fanout.cancelled";
        };
        /** @description The body of a webhook `endpoint.disabled` */
        EndpointDisabledWebhook: components["schemas"]["WebhookBase"] & {
            /**
             * @description Always `endpoint.disabled`, as in `data`
             * @constant
             */
            type: "endpoint.disabled";
            /** @description The event */
            data: components["schemas"]["EndpointDisabledEvent"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "endpoint.disabled";
        };
        /** @description The body of a webhook `schedule.disabled` */
        ScheduleDisabledWebhook: components["schemas"]["WebhookBase"] & {
            /**
             * @description Always `schedule.disabled`, as in `data`
             * @constant
             */
            type: "schedule.disabled";
            /** @description The event */
            data: components["schemas"]["ScheduleDisabledEvent"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "schedule.disabled";
        };
        /** @description The body of a webhook `session.created` */
        SessionCreatedWebhook: components["schemas"]["WebhookBase"] & {
            /**
             * @description Always `session.created`, as in `data`
             * @constant
             */
            type: "session.created";
            /** @description The event; above 20,480 bytes without its data, with `href` to fetch it */
            data: components["schemas"]["SessionCreatedEvent"] | (components["schemas"]["TenantEventBase"] & {
                /**
                 * @description Always `session.created`: it says what `data` holds
                 * @constant
                 */
                type: "session.created";
                /** @description Path of the request that returns the whole event */
                href: string;
            });
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "session.created";
        };
        /** @description The body of a webhook `session.updated` */
        SessionUpdatedWebhook: components["schemas"]["WebhookBase"] & {
            /**
             * @description Always `session.updated`, as in `data`
             * @constant
             */
            type: "session.updated";
            /** @description The event; above 20,480 bytes without its data, with `href` to fetch it */
            data: components["schemas"]["SessionUpdatedEvent"] | (components["schemas"]["TenantEventBase"] & {
                /**
                 * @description Always `session.updated`: it says what `data` holds
                 * @constant
                 */
                type: "session.updated";
                /** @description Path of the request that returns the whole event */
                href: string;
            });
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "session.updated";
        };
        /** @description The body of a webhook `session.forked` */
        SessionForkedWebhook: components["schemas"]["WebhookBase"] & {
            /**
             * @description Always `session.forked`, as in `data`
             * @constant
             */
            type: "session.forked";
            /** @description The event; above 20,480 bytes without its data, with `href` to fetch it */
            data: components["schemas"]["SessionForkedEvent"] | (components["schemas"]["TenantEventBase"] & {
                /**
                 * @description Always `session.forked`: it says what `data` holds
                 * @constant
                 */
                type: "session.forked";
                /** @description Path of the request that returns the whole event */
                href: string;
            });
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "session.forked";
        };
        /** @description The body of a webhook `session.deleted` */
        SessionDeletedWebhook: components["schemas"]["WebhookBase"] & {
            /**
             * @description Always `session.deleted`, as in `data`
             * @constant
             */
            type: "session.deleted";
            /** @description The event; above 20,480 bytes without its data, with `href` to fetch it */
            data: components["schemas"]["SessionDeletedEvent"] | (components["schemas"]["TenantEventBase"] & {
                /**
                 * @description Always `session.deleted`: it says what `data` holds
                 * @constant
                 */
                type: "session.deleted";
                /** @description Path of the request that returns the whole event */
                href: string;
            });
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "session.deleted";
        };
        /** @description The body of a webhook `endpoint.test` */
        EndpointTestWebhook: components["schemas"]["WebhookBase"] & {
            /**
             * @description Always `endpoint.test`, as in `data`
             * @constant
             */
            type: "endpoint.test";
            /** @description The event */
            data: components["schemas"]["EndpointTestEvent"];
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "endpoint.test";
        };
        /** @description The body of any webhook that is sent (Standard Webhooks 1.0) */
        WebhookBody: components["schemas"]["RunCompletedWebhook"] | components["schemas"]["RunFailedWebhook"] | components["schemas"]["RunCancelledWebhook"] | components["schemas"]["RunTimedOutWebhook"] | components["schemas"]["ApprovalRequestedWebhook"] | components["schemas"]["QuestionAskedWebhook"] | components["schemas"]["QuestionAnsweredWebhook"] | components["schemas"]["TodosUpdatedWebhook"] | components["schemas"]["SubagentSpawnedWebhook"] | components["schemas"]["SubagentAnnouncedWebhook"] | components["schemas"]["SubagentFailedWebhook"] | components["schemas"]["FanoutCreatedWebhook"] | components["schemas"]["FanoutCompletedWebhook"] | components["schemas"]["FanoutFailedWebhook"] | components["schemas"]["FanoutCancelledWebhook"] | components["schemas"]["EndpointDisabledWebhook"] | components["schemas"]["ScheduleDisabledWebhook"] | components["schemas"]["SessionCreatedWebhook"] | components["schemas"]["SessionUpdatedWebhook"] | components["schemas"]["SessionForkedWebhook"] | components["schemas"]["SessionDeletedWebhook"] | components["schemas"]["EndpointTestWebhook"];
        /** @description An answer of A2A 1.0 (JSON-RPC 2.0); of a stream, one of several */
        A2aAnswer: {
            /**
             * @description The version of JSON-RPC
             * @constant
             */
            jsonrpc: "2.0";
            /** @description That of the call; null: it could not be read */
            id: (string | number) | null;
            /** @description Result of the method, as A2A has it */
            result?: unknown;
            /** @description Why there is no result */
            error?: {
                /** @description As A2A has it, e.g. -32001: no such task */
                code: number;
                /** @description Explanation for people */
                message: string;
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        /** @description An agent as A2A describes it. It holds more members, as A2A does */
        AgentCard: {
            /** @description The agent, for people */
            name: string;
            /** @description What it does */
            description: string;
            /** @description The version of this card */
            version: string;
            /** @description How it is reached */
            supportedInterfaces: ({
                /** @description Where it is called */
                url: string;
                /** @description Always `JSONRPC` */
                protocolBinding: string;
                /** @description The version of A2A that is spoken there */
                protocolVersion: string;
            } & {
                [key: string]: unknown;
            })[];
            /** @description What it can do besides */
            capabilities: {
                [key: string]: unknown;
            };
            /** @description What it is for */
            skills: ({
                /** @description The agent */
                id: string;
                /** @description For people */
                name: string;
            } & {
                [key: string]: unknown;
            })[];
        } & {
            [key: string]: unknown;
        };
        /** @description What a message says: a text, or parts */
        AgUiContent: string | ({
            /**
             * @description A text
             * @constant
             */
            type: "text";
            /** @description Its words */
            text: string;
            /** @description Its name; taken and not used */
            id?: unknown;
            /** @description Notes on it; taken and not used */
            metadata?: unknown;
        } | {
            /**
             * @description A picture or file
             * @enum {string}
             */
            type: "image" | "audio" | "video" | "document";
            /** @description Where its bytes are */
            source: {
                /**
                 * @description Bytes
                 * @constant
                 */
                type: "data";
                /** @description Base64 */
                value: string;
                /** @description Its type, which is told by its bytes; taken and not used */
                mimeType?: unknown;
            } | {
                /**
                 * @description An address
                 * @constant
                 */
                type: "url";
                /** @description Its https address */
                value: string;
                /** @description Its type, which is told by its bytes; taken and not used */
                mimeType?: unknown;
            } | ({
                /**
                 * @description A file of a provider: refused
                 * @constant
                 */
                type: "file";
            } & {
                [key: string]: unknown;
            });
            /** @description Its name; taken and not used */
            id?: unknown;
            /** @description Notes on it; taken and not used */
            metadata?: unknown;
        })[];
        /** @description A turn in the words of AG-UI; what means nothing here is refused */
        AgUiInput: {
            /** @description Your id of the conversation: the same one is the same session */
            threadId: string;
            /** @description Your id of this request: the same one is the same turn */
            runId: string;
            /** @description The version of AG-UI; taken and not used */
            protocolVersion?: unknown;
            /** @description The run that this one follows; taken and not used */
            parentRunId?: unknown;
            /** @description State is not carried: agents have files and memory; only an empty one is taken */
            state?: unknown;
            /** @description The conversation; a session that has had a run reads what is new in it */
            messages: ({
                /** @description The name of the message */
                id: string;
                /** @description The name of its author; taken and not used */
                name?: unknown;
                /** @description Of another provider; taken and not used */
                encryptedValue?: unknown;
                /** @description Notes on it; taken and not used */
                metadata?: unknown;
                /** @description Who has said it; taken and not used */
                subagentRunId?: unknown;
                /**
                 * @description A message of the user
                 * @constant
                 */
                role: "user";
                /** @description What it says */
                content: components["schemas"]["AgUiContent"];
            } | {
                /** @description The name of the message */
                id: string;
                /** @description The name of its author; taken and not used */
                name?: unknown;
                /** @description Of another provider; taken and not used */
                encryptedValue?: unknown;
                /** @description Notes on it; taken and not used */
                metadata?: unknown;
                /** @description Who has said it; taken and not used */
                subagentRunId?: unknown;
                /**
                 * @description Follows the prompt of the agent
                 * @enum {string}
                 */
                role: "system" | "developer";
                /** @description Its words */
                content: string;
            } | {
                /** @description The name of the message */
                id: string;
                /** @description The name of its author; taken and not used */
                name?: unknown;
                /** @description Of another provider; taken and not used */
                encryptedValue?: unknown;
                /** @description Notes on it; taken and not used */
                metadata?: unknown;
                /** @description Who has said it; taken and not used */
                subagentRunId?: unknown;
                /**
                 * @description An answer of the agent
                 * @constant
                 */
                role: "assistant";
                /** @description Its words */
                content?: string | null;
                /** @description Calls that it has made */
                toolCalls?: ({
                    /** @description Its name */
                    id: string;
                    /** @description What is called */
                    function: {
                        /** @description The tool */
                        name: string;
                        /** @description JSON text */
                        arguments: string;
                    };
                } & {
                    [key: string]: unknown;
                })[] | null;
            } | {
                /** @description The name of the message */
                id: string;
                /** @description The name of its author; taken and not used */
                name?: unknown;
                /** @description Of another provider; taken and not used */
                encryptedValue?: unknown;
                /** @description Notes on it; taken and not used */
                metadata?: unknown;
                /** @description Who has said it; taken and not used */
                subagentRunId?: unknown;
                /**
                 * @description A result, brought by you
                 * @constant
                 */
                role: "tool";
                /** @description Its words */
                content: components["schemas"]["AgUiContent"];
                /** @description The call; one of ours names the run that waits for it */
                toolCallId: string;
                /** @description Why it failed */
                error?: string | null;
            } | ({
                /**
                 * @description For people: not read
                 * @enum {string}
                 */
                role: "reasoning" | "activity";
            } & {
                [key: string]: unknown;
            }))[];
            /** @description Your tools, beside the agent's: you perform them and bring the results */
            tools?: {
                /** @description 1 to 64 of A-Z a-z 0-9 _ -; no name of a tool of ours */
                name: string;
                /** @description What it does, for the model */
                description: string;
                /** @description JSON Schema of its arguments, an object */
                parameters?: {
                    [key: string]: unknown;
                } | null;
                /** @description Notes on it; taken and not used */
                metadata?: unknown;
            }[] | null;
            /** @description Follows the prompt of the agent */
            context?: {
                /** @description What it is */
                description: string;
                /** @description Its text */
                value: string;
            }[] | null;
            /** @description Properties are not forwarded to anybody; only an empty one is taken */
            forwardedProps?: unknown;
            /** @description The answer to the question with which the turn before has ended */
            resume?: {
                /** @description What was asked, by its id */
                interruptId: string;
                /**
                 * @description Only what is resolved is taken
                 * @enum {string}
                 */
                status: "resolved" | "cancelled";
                /** @description The answer: a text, or data for a form */
                payload?: unknown;
                /** @description Notes on it; taken and not used */
                metadata?: unknown;
            }[] | null;
        };
        /** @description An event, as AG-UI has it */
        AgUiEvent: {
            /** @description The type of the event, e.g. `TEXT_MESSAGE_CONTENT` */
            type: string;
            /** @description Absent: text as it is written, which the log has no place for */
            metadata?: {
                /** @description The fact that it comes of */
                strata: {
                    /** @description The run whose log has it */
                    run_id: string;
                    /** @description The place in its log */
                    seq: number;
                } & {
                    [key: string]: unknown;
                };
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        /** @description A skill's SKILL.md */
        SkillInput: {
            /** @description The whole SKILL.md: front matter with name and description, then the text */
            skill_md: string;
            /** @description Omitted: unchanged; a new skill is enabled */
            enabled?: boolean | null;
            /** @description False: refused when it exists */
            overwrite?: boolean | null;
        };
        /** @description Whether a skill is on */
        SwitchInput: {
            /** @description False: no run is offered it */
            enabled: boolean;
        };
        /** @description An agent's file */
        AgentInput: {
            /** @description The whole file: front matter, then the system prompt */
            agent_md: string;
            /** @description False: refused when it exists */
            overwrite?: boolean | null;
        };
        /** @description Omitted members stay as they are; null removes a field */
        AgentPatch: {
            /** @description Purpose of the agent, as shown to other agents. Null removes it */
            description?: string | null;
            /** @description Tools that it may call; without the field: every tool. Null removes it */
            tools?: string[] | null;
            /** @description Tools that it may not call. Null removes it */
            disallowed_tools?: string[] | null;
            /** @description An alias, `provider/model` or `inherit`. Null removes it */
            model?: string | null;
            /** @description `Main`, `Fallback` or `Compaction`. Null removes it */
            model_role?: string | null;
            /** @description Whether it sees the conversation of who starts it. Null removes it */
            fork_context?: boolean | null;
            /** @description Running time in seconds, at most 86400. Null removes it */
            timeout_seconds?: number | null;
            /** @description `listed`, `user-facing` or `internal`. Null removes it */
            visibility?: string | null;
            /** @description Whether it answers with a list of findings. Null removes it */
            emit_structured_findings?: boolean | null;
            /** @description Answers of the model, at most 200. Null removes it */
            max_steps?: number | null;
            /** @description For people; nothing depends on it. Null removes it */
            color?: string | null;
            /** @description Randomness; 0: the least. Null removes it */
            temperature?: number | null;
            /** @description Share of likely tokens that count. Null removes it */
            top_p?: number | null;
            /** @description Longest answer. Null removes it */
            max_output_tokens?: number | null;
            /** @description How hard the model thinks. Null removes it */
            reasoning_effort?: ("none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max") | null;
            /** @description Tokens that the model may think, where its provider counts them. Null removes it */
            thinking_budget?: number | null;
            /** @description Texts that end an answer. Null removes it */
            stop?: string[] | null;
            /** @description For answers that repeat. Null removes it */
            seed?: number | null;
            /** @description False: at most one tool call in an answer. Null removes it */
            parallel_tool_calls?: boolean | null;
            /** @description By provider kind (`openai`, `anthropic`, …), options as the AI SDK's package of it names them. Null removes it */
            provider_options?: {
                [key: string]: {
                    [key: string]: unknown;
                };
            } | null;
            /** @description The text below the front matter */
            system_prompt?: string | null;
        };
        /** @description The whole of an MCP server: what is omitted is cleared, but for `enabled` */
        ServerInput: {
            /** @description stdio, http or sse; inferred from command or url */
            type?: string | null;
            /** @description With stdio: the program */
            command?: string | null;
            /** @description With stdio: its arguments */
            args?: string[] | null;
            /** @description With stdio: its environment; `[redacted]` keeps a stored value */
            env?: {
                [key: string]: string;
            } | null;
            /** @description With stdio: the directory that it starts in */
            cwd?: string | null;
            /** @description With http and sse: the address */
            url?: string | null;
            /** @description The name of a secret of the tenant */
            bearer_token_env_var?: string | null;
            /** @description Always refused: a secret is named in bearer_token_env_var */
            bearer_token?: string | null;
            /** @description Sent as they are; `[redacted]` keeps a stored value */
            http_headers?: {
                [key: string]: string;
            } | null;
            /** @description Header name to name of a secret */
            env_http_headers?: {
                [key: string]: string;
            } | null;
            /** @description How a token is obtained: client_id, client_secret_env_var (the name of a secret), scopes, issuer, grant (authorization_code or client_credentials); `{}`: all as the server says */
            oauth?: {
                [key: string]: unknown;
            } | null;
            /** @description False: runs do without it */
            enabled?: boolean | null;
            /** @description The only tools that are offered, as the server names them */
            enabled_tools?: string[] | null;
            /** @description Tools that are not offered, as the server names them */
            disabled_tools?: string[] | null;
            /** @description Seconds until its tools are listed: above zero, at most 60 */
            startup_timeout_sec?: number | null;
            /** @description Seconds that one call may take: above zero, at most 600 */
            tool_timeout_sec?: number | null;
            /** @description Tool glob to rule; of several that match the strictest counts */
            approval?: {
                [key: string]: "allow" | "ask" | "deny";
            } | null;
            /**
             * @deprecated
             * @description The same as http_headers
             */
            headers?: {
                [key: string]: string;
            } | null;
            /**
             * @deprecated
             * @description The same as startup_timeout_sec
             */
            timeoutSeconds?: number | null;
            /**
             * @deprecated
             * @description The same as tool_timeout_sec
             */
            toolTimeoutSeconds?: number | null;
            /** @description False: refused when it exists */
            overwrite?: boolean | null;
        };
        /** @description Omitted members stay as they are; null removes a field */
        ServerPatch: {
            /** @description stdio, http or sse; inferred from command or url. Null removes it */
            type?: string | null;
            /** @description With stdio: the program. Null removes it */
            command?: string | null;
            /** @description With stdio: its arguments. Null removes it */
            args?: string[] | null;
            /** @description With stdio: its environment; `[redacted]` keeps a stored value. Null removes it, or one of its keys */
            env?: {
                [key: string]: string | null;
            } | null;
            /** @description With stdio: the directory that it starts in. Null removes it */
            cwd?: string | null;
            /** @description With http and sse: the address. Null removes it */
            url?: string | null;
            /** @description The name of a secret of the tenant. Null removes it */
            bearer_token_env_var?: string | null;
            /** @description Always refused: a secret is named in bearer_token_env_var. Null removes it */
            bearer_token?: string | null;
            /** @description Sent as they are; `[redacted]` keeps a stored value. Null removes it, or one of its keys */
            http_headers?: {
                [key: string]: string | null;
            } | null;
            /** @description Header name to name of a secret. Null removes it, or one of its keys */
            env_http_headers?: {
                [key: string]: string | null;
            } | null;
            /** @description How a token is obtained: client_id, client_secret_env_var (the name of a secret), scopes, issuer, grant (authorization_code or client_credentials); `{}`: all as the server says. Null removes it */
            oauth?: {
                [key: string]: unknown;
            } | null;
            /** @description False: runs do without it. Null removes it */
            enabled?: boolean | null;
            /** @description The only tools that are offered, as the server names them. Null removes it */
            enabled_tools?: string[] | null;
            /** @description Tools that are not offered, as the server names them. Null removes it */
            disabled_tools?: string[] | null;
            /** @description Seconds until its tools are listed: above zero, at most 60. Null removes it */
            startup_timeout_sec?: number | null;
            /** @description Seconds that one call may take: above zero, at most 600. Null removes it */
            tool_timeout_sec?: number | null;
            /** @description Tool glob to rule; of several that match the strictest counts. Null removes it, or one of its keys */
            approval?: {
                [key: string]: ("allow" | "ask" | "deny") | null;
            } | null;
            /** @description The same as http_headers. Null removes it, or one of its keys */
            headers?: {
                [key: string]: string | null;
            } | null;
            /** @description The same as startup_timeout_sec. Null removes it */
            timeoutSeconds?: number | null;
            /** @description The same as tool_timeout_sec. Null removes it */
            toolTimeoutSeconds?: number | null;
        };
        /** @description The version to restore */
        RollbackInput: {
            /** @description The version that is restored: `ver_` and 26 characters */
            version: string;
        };
        /** @description A link for a person */
        AuthorizationLink: {
            /** @description The server */
            name: string;
            /** @description A person opens it and consents, or refuses */
            url: string;
            /** @description Until when its answer counts (RFC 3339, UTC) */
            expires_at: string;
            /** @description Where the browser comes back to; the client must be registered with it */
            redirect_uri: string;
        };
        /** @description The outcome of forgetting */
        ForgottenAuthorization: {
            /** @description The server */
            name: string;
            /** @description Whether there was something to forget */
            forgotten: boolean;
            /** @description Whether the authorization server has revoked the token, too */
            revoked: boolean;
        };
        /** @description OAuth at the server */
        ServerAuthorization: {
            /**
             * @description `required`, `expired`, `refused`: runs do without the server until it is authorized
             * @enum {string}
             */
            state: "required" | "authorized" | "expired" | "refused";
            /** @description Until when its token holds, which may be renewed (RFC 3339, UTC); null: not known */
            expires_at: string | null;
        };
        /** @description When waiting for subagents or tasks is over */
        Join: {
            /**
             * @description `all`: wait until all have ended. `any`: one success is enough. `{quorum}`: so many successes are enough
             * @default all
             */
            policy: ("all" | "any") | {
                /** @description Number of successes needed; failures never count */
                quorum: number;
            };
            /**
             * @description Wall time from the beginning of the barrier, or of the wait within a step; null: what remains of the run
             * @default null
             */
            deadline_seconds: number | null;
            /**
             * @description When a child does not complete: go on with the others, or fail at once
             * @default continue
             * @enum {string}
             */
            on_child_failure: "continue" | "fail";
            /**
             * @description Whether those that are no longer waited for are cancelled
             * @default true
             */
            cancel_rest: boolean;
        };
        /** @description When waiting for subagents or tasks is over */
        JoinInput: {
            /** @description `all`: wait until all have ended. `any`: one success is enough. `{quorum}`: so many successes are enough */
            policy?: (("all" | "any") | {
                /** @description Number of successes needed; failures never count */
                quorum: number;
            }) | null;
            /** @description Wall time from the beginning of the barrier, or of the wait within a step; null: what remains of the run */
            deadline_seconds?: number | null;
            /** @description When a child does not complete: go on with the others, or fail at once */
            on_child_failure?: ("continue" | "fail") | null;
            /** @description Whether those that are no longer waited for are cancelled */
            cancel_rest?: boolean | null;
        };
        /** @description A run to be created */
        RunInput: {
            /** @description The task: a text, parts with pictures and files, or a conversation so far */
            input: string | components["schemas"]["InputPart"][] | {
                /**
                 * @description Author of the message; the last message is by the user
                 * @enum {string}
                 */
                role: "user" | "assistant";
                /** @description What it says: a text, or parts with pictures and files */
                content: string | components["schemas"]["InputPart"][];
            }[];
            /** @description The id of an agent. Default: `general` */
            agent?: string | null;
            /** @description A short name for people and filters */
            label?: string | null;
            /** @description Background that precedes the input, when that is one message */
            context?: string | null;
            /** @description The session whose transcript the run continues */
            session_id?: string | null;
            /** @description When the session has a run: wait for the turn, 409, or cancel that run. Absent: answer the question that it asks the user, if it asks one, else `enqueue` */
            on_busy?: ("enqueue" | "reject" | "interrupt") | null;
            /** @description The role layer `roles/<role>/`; omitted: the base layer */
            role?: string | null;
            /** @description A key prefix without leading slash, e.g. `repos/app` */
            repo_dir?: string | null;
            /** @description Replaces `base/` */
            base_dir?: string | null;
            /** @description The key of a configuration file: the only source of MCP servers */
            mcp_config_path?: string | null;
            /** @description The same, inline: name to fields, as `[mcp_servers.<name>]` has them */
            mcp_servers?: {
                [key: string]: unknown;
            } | null;
            /** @description Warnings about files refuse the request. Default: the policy's */
            strict?: boolean | null;
            /** @description When layers define the same name: the nearer one counts, or the request is refused. Default: the policy's */
            on_duplicate?: ("shadow" | "reject") | null;
            /** @description An alias or `provider/model`. Default: the agent's, else the deployment's */
            model?: string | null;
            /** @description Settings of its calls to models, before those of its agent and of its alias; what a provider does not take is a warning of the run */
            model_settings?: components["schemas"]["ModelSettingsInput"] | null;
            /** @description Intersects what the agent has, and what every run below it has */
            tools?: string[] | null;
            /** @description For the run and every run below it; globs are allowed */
            disallowed_tools?: string[] | null;
            /** @description The join policy for its subagents */
            join?: components["schemas"]["JoinInput"] | null;
            /** @description Bounds of the run; what is omitted has its default */
            limits?: {
                /** @description Answers of the model; after them one last call without tools. Default: what the agent says, else 50 */
                max_steps?: number | null;
                /** @description Running time in seconds, without waits for people. Default: what the agent says, else 3600 */
                timeout_seconds?: number | null;
                /** @description Tokens in and out, of the run with everything below it; omitted: unlimited */
                max_tokens?: number | null;
                /** @description Calls of models, of the run with everything below it; omitted: unlimited */
                max_model_calls?: number | null;
                /** @description US dollars by the list of prices, of the run with everything below it; omitted: unlimited. The call that exceeds it is the last; a model without a price is refused (`price_unknown`) */
                max_cost_usd?: number | null;
                /** @description Subagents that the run may start in all; 0: none. Default: 1000 */
                max_children?: number | null;
            } | null;
            /** @description Webhook for this run (Standard Webhooks 1.0), in addition to the tenant's endpoints */
            webhook?: {
                /** @description Target of the POST requests; addresses that are not public are refused */
                url: string;
                /** @description `whsec_` and 24 to 64 bytes in base 64; omitted: generated and shown once */
                secret?: string | null;
                /** @description Form of the bodies. `standard`: type, timestamp and data. `cloudevents`: a CloudEvent 1.0 in structured mode. Both are signed by Standard Webhooks. Default: `standard` */
                format?: ("standard" | "cloudevents") | null;
                /** @description Event types to send; default: the four ends of a run */
                events?: ("run.completed" | "run.failed" | "run.cancelled" | "run.timed_out" | "approval.requested" | "question.asked" | "question.answered" | "todos.updated" | "subagent.spawned" | "subagent.announced" | "subagent.failed")[] | null;
            } | null;
            /** @description JSON Schema of the answer: it is asked for twice, then `schema_error` says why */
            output_schema?: {
                [key: string]: unknown;
            } | null;
            /** @description With `output_schema`: when the answer does not fit it, also when it was asked for again, the run ends as `failed` with the code `schema_unmet` */
            output_schema_required?: boolean | null;
            /** @description Approval settings for the run and everything below */
            approvals?: components["schemas"]["ApprovalSettingsInput"] | null;
            /** @description Your own pairs, shown in lists and webhooks: at most 16, keys of up to 64 characters, values of up to 512 */
            metadata?: {
                [key: string]: string;
            } | null;
            /** @description Nothing is performed or billed before this time (RFC 3339), which is within 2592000 s */
            start_at?: string | null;
            /** @description Seconds from `start_at`, else from now. What has not begun by then ends as `timed_out` with the code `expired`, at the latest when its turn in the lane comes */
            expires_in?: number | null;
            /** @description Of the tenant's queued runs in a lane those with more come first; default 0. Where the queue keeps its own order (AWS), the warning `priority_ignored` says so */
            priority?: number | null;
        };
        /** @description A message to a run that is live */
        MessageInput: {
            /** @description What it says: a text, or parts with pictures and files */
            content: string | components["schemas"]["InputPart"][];
        };
        /** @description The layers to resolve; without members: the base layer */
        ResolveInput: {
            /** @description The role layer `roles/<role>/`; omitted: the base layer */
            role?: string | null;
            /** @description A key prefix without leading slash, e.g. `repos/app` */
            repo_dir?: string | null;
            /** @description Replaces `base/` */
            base_dir?: string | null;
            /** @description The key of a configuration file: the only source of MCP servers */
            mcp_config_path?: string | null;
            /** @description The same, inline: name to fields, as `[mcp_servers.<name>]` has them */
            mcp_servers?: {
                [key: string]: unknown;
            } | null;
            /** @description Warnings about files refuse the request. Default: the policy's */
            strict?: boolean | null;
            /** @description When layers define the same name: the nearer one counts, or the request is refused. Default: the policy's */
            on_duplicate?: ("shadow" | "reject") | null;
        };
        /** @description A finding about a file or about a choice of layers */
        Diagnostic: {
            /** @description Stable; decide by this */
            code: string;
            /**
             * @description `note`: informational. `warning`: the file is used. `error`: the file is rejected
             * @enum {string}
             */
            severity: "note" | "warning" | "error";
            /** @description The line in the file, from 1; null: no single line */
            line: number | null;
            /** @description Explanation for people; the wording may change */
            message: string;
            /** @description A suggested replacement; null: none is known */
            hint: string | null;
        };
        /** @description The outcome of loading one file of a layer */
        FileRecord: {
            /** @description The layer, by its prefix: `base/`, `roles/<role>/`, `repos/<name>/` */
            layer: string;
            /** @description Where the file lies below the layer */
            path: string;
            /**
             * @description Kind of the file
             * @enum {string}
             */
            kind: "agent" | "skill" | "schedule" | "config" | "other";
            /** @description Name of the agent, skill or schedule that it defines; null: none */
            id: string | null;
            /**
             * @description Outcome of loading the file. `ignored`: not read, or not a configuration file
             * @enum {string}
             */
            status: "loaded" | "loaded_with_warnings" | "rejected" | "ignored";
            /** @description Findings about this file; empty: none */
            diagnostics: components["schemas"]["Diagnostic"][];
        };
        /** @description Where an entry came from and what it hides */
        Origin: {
            /**
             * @description `builtin`: comes with Strata. `run`: the request brought it
             * @enum {string}
             */
            kind: "builtin" | "base" | "role" | "repo" | "run";
            /** @description The layer, by its prefix: `base/`, `roles/<role>/`, `repos/<name>/` */
            layer: string;
            /** @description The key of its file, as `/v1/files/{path}` takes it */
            key: string;
            /** @description The etag of its file, without quotes */
            etag: string;
            /** @description Entries of the same name that it overrides; empty: none */
            shadows: {
                /** @description The layer, by its prefix: `base/`, `roles/<role>/`, `repos/<name>/` */
                layer: string;
                /** @description The key of the file that is hidden, as `/v1/files/{path}` takes it */
                key: string;
            }[];
        };
        /** @description An agent that a run could be; further fields of its file */
        Agent: {
            /** @description Its name in the front matter, else that of its file, in kebab-case */
            id: string;
            /** @description Its name as the file writes it */
            display_name: string;
            /** @description Purpose of the agent, as shown to other agents */
            description: string;
            /** @description Tools that it may call; null: every tool, []: none */
            tools: string[] | null;
            /** @description An alias, `provider/model` or `inherit`; null: the file names none */
            model: string | null;
            /**
             * @description `user-facing`: its tools are narrowed by the policy. `internal`: models are not notified of it
             * @enum {string}
             */
            visibility: "listed" | "user-facing" | "internal";
            /** @description The text of its file below the front matter */
            system_prompt: string;
            origin: components["schemas"]["Origin"];
        } & {
            [key: string]: unknown;
        };
        /** @description A skill that a run could open; further fields of its file */
        Skill: {
            /** @description The name of the skill's directory */
            id: string;
            /** @description When to use it, as the model reads it */
            description: string;
            /** @description Whether it is switched on */
            enabled: boolean;
            /** @description Whether what it requires is there */
            available: boolean;
            /** @description Why it is not available; null: it is */
            reason: string | null;
            origin: components["schemas"]["Origin"];
        } & {
            [key: string]: unknown;
        };
        /** @description A schedule of a file: off until it is switched on */
        ScheduleFile: {
            /** @description The file's name without `.md`, and the name of the schedule */
            name: string;
            /** @description What `PUT /v1/schedules/{name}` would be given, as the file says it */
            request: {
                /** @description The text of its file below the front matter */
                input: string;
            } & {
                [key: string]: unknown;
            };
            /** @description SHA-256 of the file (64 hex digits) */
            file_digest: string;
            origin: components["schemas"]["Origin"];
        };
        /** @description An MCP server that a run could use; further fields of it */
        Server: {
            /** @description Its name; tools are called `mcp__<name>__<tool>` */
            name: string;
            /**
             * @description Transport of MCP; `http`: Streamable HTTP
             * @enum {string}
             */
            transport: "stdio" | "http" | "sse";
            /** @description Whether it is switched on */
            enabled: boolean;
            /** @description Environment variables by name; each value is `[redacted]` */
            env: {
                [key: string]: string;
            };
            /** @description HTTP headers by name; each value is `[redacted]` */
            http_headers: {
                [key: string]: string;
            };
            origin: components["schemas"]["Origin"];
        } & {
            [key: string]: unknown;
        };
        /** @description The configuration that a run with these layers would get */
        Resolved: {
            /** @description Ordered by id */
            agents: components["schemas"]["Agent"][];
            /** @description Ordered by id, those that are switched off included */
            skills: components["schemas"]["Skill"][];
            /** @description Ordered by name, those that are switched off included */
            servers: components["schemas"]["Server"][];
            /** @description Ordered by name. `PUT /v1/schedules/{name}/source` switches one on */
            schedules: components["schemas"]["ScheduleFile"][];
            /** @description Servers that cannot be used here, and why */
            unavailable: {
                /** @description The server */
                name: string;
                /** @description Stable; decide by this */
                code: string;
                /** @description Why it cannot be used here */
                message: string;
            }[];
            /** @description One for each file of the layers */
            records: components["schemas"]["FileRecord"][];
            /** @description Findings about the choice of layers; empty: none */
            diagnostics: components["schemas"]["Diagnostic"][];
            /** @description Secrets that servers refer to but that are not set */
            missing_secrets: {
                /** @description The server that needs it */
                server: string;
                /** @description The name of the secret */
                name: string;
            }[];
            /** @description Built-in tools that this deployment cannot perform, each with what it must set */
            lacks: {
                [key: string]: string;
            };
            /** @description The resolved layers, lowest precedence first */
            layers: {
                /** @description `builtin`, `base`, `role`, `repo` or `run` */
                kind: string;
                /** @description The layer, by its prefix: `base/`, `roles/<role>/`, `repos/<name>/` */
                layer: string;
            }[];
            /** @description SHA-256 of agents, skills and servers: equal when a run would be given the same (64 hex digits) */
            digest: string;
        };
        /** @description Two configurations */
        DiffInput: {
            /** @description One side: `{digest}`, or the input of a resolve */
            left: {
                /** @description The `config_digest` of a run, or the `digest` of a resolve */
                digest: string;
            } | components["schemas"]["ResolveInput"];
            /** @description The other side: `{digest}`, or the input of a resolve */
            right: {
                /** @description The `config_digest` of a run, or the `digest` of a resolve */
                digest: string;
            } | components["schemas"]["ResolveInput"];
        };
        /** @description Differences between two configurations, without values */
        Diff: {
            /** @description SHA-256 of the left configuration (64 hex digits) */
            left: string;
            /** @description SHA-256 of the right configuration (64 hex digits) */
            right: string;
            /** @description Ordered by kind and name; empty: they are the same */
            differences: {
                /**
                 * @description Kind of the entry
                 * @enum {string}
                 */
                kind: "agent" | "skill" | "server";
                /** @description Its name */
                id: string;
                /**
                 * @description From left to right: `added` is only in the right one
                 * @enum {string}
                 */
                change: "added" | "removed" | "changed";
                /** @description With `changed`: the names of fields that differ */
                fields: string[];
            }[];
        };
        /** @description A skill as one layer has it */
        LayerSkill: {
            /** @description The name of its directory */
            name: string;
            /** @description Whether it is switched on */
            enabled: boolean;
            /** @description The key of its SKILL.md, or of its switch when there is nothing else */
            path: string;
            /** @description False: the layer only switches it off */
            has_skill_md: boolean;
            /** @description When to use it; null: there is no SKILL.md that can be read */
            description: string | null;
            /** @description All files of its directory */
            files: {
                /** @description Below the skill's directory */
                path: string;
                /** @description The etag of the file, without quotes */
                etag: string;
                /** @description Size in bytes */
                size: number;
            }[];
            /** @description For `If-Match`, without quotes; null: there is no SKILL.md */
            etag: string | null;
            /** @description Findings about what is written there; empty: none */
            diagnostics: components["schemas"]["Diagnostic"][];
            /** @description The whole SKILL.md; absent in lists and when it was not asked for */
            skill_md?: string;
        };
        /** @description An agent as one layer has it */
        LayerAgent: {
            /** @description Its id; of a file that is rejected: the name of the file */
            name: string;
            /** @description The key of its file */
            path: string;
            /**
             * @description Outcome of loading the file. `ignored`: not read, or not a configuration file
             * @enum {string}
             */
            status: "loaded" | "loaded_with_warnings" | "rejected" | "ignored";
            /** @description Purpose of the agent; null: the file is rejected */
            description: string | null;
            /** @description An alias, `provider/model` or `inherit`; null: the file names none */
            model: string | null;
            /** @description Tools that it may call; null: every tool, or the file is rejected */
            tools: string[] | null;
            /** @description `listed`, `user-facing` or `internal`; null: the file is rejected */
            visibility: string | null;
            /** @description For `If-Match`, without quotes; null: the file is not there any more */
            etag: string | null;
            /** @description Findings about what is written there; empty: none */
            diagnostics: components["schemas"]["Diagnostic"][];
            /** @description The whole file; absent in lists and when it was not asked for */
            agent_md?: string;
        };
        /** @description An MCP server as one layer has it; further fields as they are written */
        LayerServer: {
            /** @description Its name; tools are called `mcp__<name>__<tool>` */
            name: string;
            /** @description Whether it is switched on */
            enabled: boolean;
            /** @description stdio, http or sse; null: the entry only amends an inherited one, or is not valid */
            type: string | null;
            /** @description The key of the configuration file */
            path: string;
            /** @description For `If-Match`, without quotes; null: the entry has none */
            etag: string | null;
            /** @description Findings about what is written there; empty: none */
            diagnostics: components["schemas"]["Diagnostic"][];
            /** @description Environment variables by name; each value is `[redacted]` */
            env: {
                [key: string]: string;
            };
            /** @description HTTP headers by name; each value is `[redacted]` */
            http_headers: {
                [key: string]: string;
            };
            /** @description OAuth; absent: it has asked for none */
            authorization?: components["schemas"]["ServerAuthorization"];
        } & {
            [key: string]: unknown;
        };
        /** @description A skill after a write */
        WrittenSkill: {
            /** @description The layer that was written, by its prefix: `base/`, `roles/<role>/`, `repos/<name>/` */
            layer: string;
            /** @description Whether the caches of this process were dropped */
            reloaded: boolean;
            /** @description Consequences, for people */
            message: string;
            /** @description Whether it is new in this layer */
            created: boolean;
            /** @description Findings about the written file; empty: none */
            warnings: components["schemas"]["Diagnostic"][];
            skill: components["schemas"]["LayerSkill"];
        };
        /** @description An agent after a write */
        WrittenAgent: {
            /** @description The layer that was written, by its prefix: `base/`, `roles/<role>/`, `repos/<name>/` */
            layer: string;
            /** @description Whether the caches of this process were dropped */
            reloaded: boolean;
            /** @description Consequences, for people */
            message: string;
            /** @description Whether it is new in this layer */
            created: boolean;
            /** @description Findings about the written file; empty: none */
            warnings: components["schemas"]["Diagnostic"][];
            agent: components["schemas"]["LayerAgent"];
        };
        /** @description An MCP server after a write */
        WrittenServer: {
            /** @description The layer that was written, by its prefix: `base/`, `roles/<role>/`, `repos/<name>/` */
            layer: string;
            /** @description Whether the caches of this process were dropped */
            reloaded: boolean;
            /** @description Consequences, for people */
            message: string;
            /** @description Whether it is new in this layer */
            created: boolean;
            /** @description Findings about the written file; empty: none */
            warnings: components["schemas"]["Diagnostic"][];
            server: components["schemas"]["LayerServer"];
        };
        /** @description The outcome of a deletion; a version keeps the content */
        Deleted: {
            /** @description The layer that was written, by its prefix: `base/`, `roles/<role>/`, `repos/<name>/` */
            layer: string;
            /** @description Whether the caches of this process were dropped */
            reloaded: boolean;
            /** @description Consequences, for people */
            message: string;
            /** @description Number of deleted files or entries */
            deleted: number;
        };
        /** @description The outcome of a reload */
        Reloaded: {
            /** @description Whether the caches of this process were dropped */
            reloaded: boolean;
            /** @description Consequences, for people */
            message: string;
            /** @description SHA-256 of the configuration that the next run has (64 hex digits) */
            config_digest: string;
        };
        /** @description The outcome of a connection test */
        Probed: {
            /** @description The server */
            name: string;
            /** @description Whether the server listed its tools */
            reachable: boolean;
            /** @description The version of MCP that it speaks; null: it did not answer */
            protocol_version: string | null;
            /** @description Its tools; empty: it has none, or was not reachable */
            tools: {
                /** @description Its name at the server */
                name: string;
                /** @description Description given by the server */
                description: string;
            }[];
            /** @description Milliseconds until the tools were listed, or until it failed */
            latency_ms: number;
            /** @description Names of secrets that are not set */
            missing_secrets: string[];
            /** @description Why it could not be reached; null: it was */
            error: string | null;
        };
        /** @description What every answer about a version says of it */
        VersionBase: {
            /** @description The version (`ver_` and 26 characters) */
            version: string;
            /** @description Rises with each version */
            number: number;
            /**
             * @description Kind of the versioned resource
             * @enum {string}
             */
            kind: "skill" | "agent" | "server" | "memory" | "endpoint" | "hook";
            /** @description The layer that it lies in, by its prefix: `base/`, `roles/<role>/`, `repos/<name>/` */
            layer: string;
            /** @description The skill, the agent or the server, by name */
            name: string;
            /**
             * @description The change that made this version. `found`: content written by other means, recorded before it was overwritten
             * @enum {string}
             */
            action: "found" | "put" | "delete" | "enable" | "disable" | "rollback" | "create" | "update" | "rotate" | "refuse";
            /** @description An API key or a run; `unknown` where it was found */
            by: string;
            /** @description When it was made (RFC 3339, UTC) */
            created_at: string;
            /** @description Files that a rollback to this version restores; empty after a delete */
            files: {
                /** @description Below the layer */
                path: string;
                /** @description SHA-256 of the bytes of the file (64 hex digits) */
                digest: string;
            }[];
        };
        /** @description One state of a skill, an agent or an MCP server */
        Version: components["schemas"]["VersionBase"];
        /** @description A version with its texts */
        VersionWithFiles: components["schemas"]["VersionBase"] & {
            /** @description The text of each file that a rollback restores */
            contents: {
                /** @description Below the layer */
                path: string;
                /** @description SHA-256 of the bytes of the file (64 hex digits) */
                digest: string;
                /** @description Size in bytes */
                size: number;
                /** @description Null: no UTF-8 text. Of a server: JSON, values hidden */
                text: string | null;
            }[];
        };
        /** @description Comparison of a version, file by file */
        Compared: {
            /** @description The version (`ver_` and 26 characters) */
            version: string;
            /** @description The other side of the comparison: `current`, or another version */
            with: string;
            /** @description Each file of the one or the other, by path */
            files: {
                /** @description Below the layer */
                path: string;
                /**
                 * @description Here is the version, there what it is compared with
                 * @enum {string}
                 */
                change: "same" | "differs" | "only_here" | "only_there";
                /** @description As the version has it; null: not at all, or no UTF-8 text */
                text: string | null;
                /** @description As the other has it; null: not at all, or no UTF-8 text */
                other_text: string | null;
            }[];
        };
        /** @description One recorded change: who did what, and when */
        AuditEntry: {
            /** @description The entry, and with it the version of a skill, an agent or a server (`ver_` and 26 characters) */
            version: string;
            /** @description Rises with each change of the thing; 0 where nobody counts */
            number: number;
            /**
             * @description Kind of the changed resource
             * @enum {string}
             */
            kind: "skill" | "agent" | "server" | "endpoint" | "hook" | "policy" | "file" | "memory" | "approval" | "run" | "fanout" | "session" | "schedule" | "delivery" | "authorization" | "key";
            /** @description The layer that it lies in; empty: it lies in none */
            layer: string;
            /** @description A name, an id or a path */
            name: string;
            /**
             * @description The recorded action
             * @enum {string}
             */
            action: "found" | "put" | "delete" | "enable" | "disable" | "rollback" | "create" | "update" | "rotate" | "refuse" | "approve" | "deny" | "cancel" | "cancel_children" | "pause" | "resume" | "run" | "replay" | "authorize" | "refresh_failed" | "forget" | "fork";
            /** @description An API key, a run or `system` */
            by: string;
            /** @description When it was done (RFC 3339, UTC) */
            created_at: string;
            /** @description Files that were written; empty: none */
            files: {
                /** @description Below the layer */
                path: string;
                /** @description SHA-256 of the bytes of the file (64 hex digits) */
                digest: string;
            }[];
            /** @description Such as the reason that was given */
            detail?: string;
        };
        /** @description What an item says: a text, or parts */
        ResponseContent: string | ({
            /**
             * @description A text
             * @constant
             */
            type: "input_text";
            /** @description Its words */
            text: string;
            /** @description Notes of an answer that is sent back; taken and not used */
            annotations?: unknown;
            /** @description Likelihoods of an answer that is sent back; taken and not used */
            logprobs?: unknown;
        } | {
            /**
             * @description A text
             * @constant
             */
            type: "output_text";
            /** @description Its words */
            text: string;
            /** @description Notes of an answer that is sent back; taken and not used */
            annotations?: unknown;
            /** @description Likelihoods of an answer that is sent back; taken and not used */
            logprobs?: unknown;
        } | {
            /**
             * @description An answer that was refused
             * @constant
             */
            type: "refusal";
            /** @description Its words */
            refusal: string;
        } | {
            /**
             * @description A picture
             * @constant
             */
            type: "input_image";
            /** @description Its https address, or a data URL in base64 */
            image_url: string;
            /** @description How closely it is looked at; taken and not used */
            detail?: unknown;
        } | {
            /**
             * @description A file: text, PDF, picture or sound
             * @constant
             */
            type: "input_file";
            /** @description A data URL, or base64 */
            file_data?: string | null;
            /** @description Its https address */
            file_url?: string | null;
            /** @description Its name for the model */
            filename?: string | null;
        })[];
        /** @description A run in the words of OpenAI; what means nothing here is refused */
        ResponseInput: {
            /** @description A text, or items: messages, results of your functions */
            input: string | ({
                /**
                 * @description A call that a model has made
                 * @constant
                 */
                type: "function_call";
                /** @description Its name */
                call_id: string;
                /** @description The function */
                name: string;
                /** @description JSON text */
                arguments: string;
                /** @description The id of the item; not used */
                id?: string | null;
                /** @description Its status; not used */
                status?: string | null;
            } | {
                /**
                 * @description The result of a call of your function
                 * @constant
                 */
                type: "function_call_output";
                /** @description The call; one of ours names the run that waits for it */
                call_id: string;
                /** @description A text, or parts of text */
                output: components["schemas"]["ResponseContent"];
                /** @description The id of the item; not used */
                id?: string | null;
                /** @description Its status; not used */
                status?: string | null;
            } | {
                /**
                 * @description A call that the agent has made, sent back
                 * @constant
                 */
                type: "mcp_call";
                /** @description Its server */
                server_label: string;
                /** @description The tool */
                name: string;
                /** @description JSON text */
                arguments: string;
                /** @description Its result */
                output?: string | null;
                /** @description Why it failed */
                error?: string | null;
                /** @description The id of the item; not used */
                id?: string | null;
                /** @description Its status; not used */
                status?: string | null;
            } | {
                /** @description A message; may be left out */
                type?: "message" | null;
                /**
                 * @description Its author; what system and developer say follows the prompt of the agent
                 * @enum {string}
                 */
                role: "user" | "assistant" | "system" | "developer";
                /** @description What it says */
                content: components["schemas"]["ResponseContent"];
                /** @description The phase of an answer that is sent back; taken and not used */
                phase?: unknown;
                /** @description The id of the item; not used */
                id?: string | null;
                /** @description Its status; not used */
                status?: string | null;
            })[];
            /** @description `agent/<name>`: an agent. Anything else: a model or an alias for the default agent, or for the conversation's. Omitted: the default agent with its model */
            model?: string | null;
            /** @description Your own pairs, shown in lists and webhooks: at most 16, keys of up to 64 characters, values of up to 512 */
            metadata?: {
                [key: string]: string;
            } | null;
            /** @description Randomness; 0: the least */
            temperature?: number | null;
            /** @description Share of likely tokens that count */
            top_p?: number | null;
            /** @description False: at most one tool call in an answer */
            parallel_tool_calls?: boolean | null;
            /** @description Only `auto`: which tools are called is up to the agent */
            tool_choice?: "auto" | null;
            /** @description A run is kept in any case: `false` changes nothing */
            store?: boolean | null;
            /** @description Your name for the end user; taken and not used */
            user?: unknown;
            /** @description Your name for the end user; taken and not used */
            safety_identifier?: unknown;
            /** @description A hint for caches; taken and not used */
            prompt_cache_key?: unknown;
            /** @description A hint for caches; taken and not used */
            prompt_cache_retention?: unknown;
            /** @description A class of service; taken and not used */
            service_tier?: unknown;
            /** @description Follows the prompt of the agent, for this run alone */
            instructions?: string | null;
            /** @description Goes on with its conversation; with results of functions: with its run */
            previous_response_id?: string | null;
            /** @description A session (`ses_` and 26 characters) whose next turn this is */
            conversation?: string | {
                /** @description The session */
                id: string;
            } | null;
            /** @description Answers at once; read or stream it later */
            background?: boolean | null;
            /** @description Answers with events */
            stream?: boolean | null;
            /** @description How the stream is obscured; taken and not used */
            stream_options?: unknown;
            /** @description Your functions, beside the agent's tools, which run on the server */
            tools?: {
                /**
                 * @description A function that you perform
                 * @constant
                 */
                type: "function";
                /** @description 1 to 64 of A-Z a-z 0-9 _ -; no name of a tool of ours */
                name: string;
                /** @description What it does, for the model */
                description?: string | null;
                /** @description JSON Schema of its arguments, an object */
                parameters?: {
                    [key: string]: unknown;
                } | null;
                /** @description Arguments are checked by the schema in any case; taken and not used */
                strict?: unknown;
            }[] | null;
            /** @description How the answer is written */
            text?: {
                /** @description The form of the answer, as `output_schema` of a run */
                format?: ({
                    /**
                     * @description Any text
                     * @constant
                     */
                    type: "text";
                } | {
                    /**
                     * @description Any JSON object
                     * @constant
                     */
                    type: "json_object";
                } | {
                    /**
                     * @description Data by a schema
                     * @constant
                     */
                    type: "json_schema";
                    /** @description A name of the form; not used */
                    name?: string | null;
                    /** @description What it is for; not used */
                    description?: string | null;
                    /** @description JSON Schema of the answer */
                    schema?: {
                        [key: string]: unknown;
                    } | null;
                    /** @description The answer is checked in any case; taken and not used */
                    strict?: unknown;
                }) | null;
                /** @description How much is said; taken and not used */
                verbosity?: unknown;
            } | null;
            /** @description Longest answer */
            max_output_tokens?: number | null;
            /** @description Not taken: `limits` of a run bound its steps */
            max_tool_calls?: null;
            /** @description How hard the model thinks */
            reasoning?: {
                /** @description How hard the model thinks */
                effort?: ("none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max") | null;
                /** @description Whether thoughts are shown; taken and not used */
                summary?: unknown;
            } | null;
            /** @description More output; taken and not used */
            include?: string[] | null;
            /** @description Long conversations are always shortened, never refused; taken and not used */
            truncation?: unknown;
        };
        /** @description What a message says: a text, or parts */
        ChatContent: string | ({
            /**
             * @description A text
             * @constant
             */
            type: "text";
            /** @description Its words */
            text: string;
        } | {
            /**
             * @description An answer that was refused
             * @constant
             */
            type: "refusal";
            /** @description Its words */
            refusal: string;
        } | {
            /**
             * @description A picture
             * @constant
             */
            type: "image_url";
            /** @description Where it is */
            image_url: {
                /** @description Its https address, or a data URL in base64 */
                url: string;
                /** @description How closely it is looked at; not used */
                detail?: unknown;
            };
        } | {
            /**
             * @description A file: text, PDF, picture or sound
             * @constant
             */
            type: "file";
            /** @description What it holds */
            file: {
                /** @description A data URL, or base64 */
                file_data: string;
                /** @description Its name for the model */
                filename?: string | null;
            };
        } | {
            /**
             * @description A sound
             * @constant
             */
            type: "input_audio";
            /** @description What it holds */
            input_audio: {
                /** @description Base64 */
                data: string;
                /** @description `wav` or `mp3`; told by its bytes */
                format: string;
            };
        })[];
        /** @description A run in the words of chat completions; what means nothing here is refused */
        ChatInput: {
            /** @description The conversation so far */
            messages: ({
                /**
                 * @description Its author, whose words follow the prompt
                 * @enum {string}
                 */
                role: "system" | "developer";
                /** @description What it says */
                content: components["schemas"]["ChatContent"];
                /** @description The name of its author; not used */
                name?: string | null;
            } | {
                /**
                 * @description Its author: you
                 * @constant
                 */
                role: "user";
                /** @description What it says */
                content: components["schemas"]["ChatContent"];
                /** @description The name of its author; not used */
                name?: string | null;
            } | {
                /**
                 * @description Its author: the model
                 * @constant
                 */
                role: "assistant";
                /** @description What it said */
                content?: components["schemas"]["ChatContent"] | null;
                /** @description What it said instead */
                refusal?: string | null;
                /** @description Its calls of your functions */
                tool_calls?: {
                    /** @description Its name, by which its result comes back */
                    id: string;
                    /**
                     * @description A call of your function
                     * @constant
                     */
                    type: "function";
                    /** @description What is called */
                    function: {
                        /** @description The function */
                        name: string;
                        /** @description JSON text */
                        arguments: string;
                    };
                }[] | null;
                /** @description Not taken */
                audio?: null;
                /** @description Notes; not used */
                annotations?: unknown[] | null;
                /** @description Not taken */
                function_call?: null;
                /** @description The name of its author; not used */
                name?: string | null;
            } | {
                /**
                 * @description Its author: your function, called before
                 * @constant
                 */
                role: "tool";
                /** @description The call; one of ours names the run that waits for it */
                tool_call_id: string;
                /** @description A text */
                content: components["schemas"]["ChatContent"];
            })[];
            /** @description `agent/<name>`: an agent. Anything else: a model or an alias for the default agent, or for the conversation's. Omitted: the default agent with its model */
            model?: string | null;
            /** @description Your own pairs, shown in lists and webhooks: at most 16, keys of up to 64 characters, values of up to 512 */
            metadata?: {
                [key: string]: string;
            } | null;
            /** @description Randomness; 0: the least */
            temperature?: number | null;
            /** @description Share of likely tokens that count */
            top_p?: number | null;
            /** @description False: at most one tool call in an answer */
            parallel_tool_calls?: boolean | null;
            /** @description Only `auto`: which tools are called is up to the agent */
            tool_choice?: "auto" | null;
            /** @description A run is kept in any case: `false` changes nothing */
            store?: boolean | null;
            /** @description Your name for the end user; taken and not used */
            user?: unknown;
            /** @description Your name for the end user; taken and not used */
            safety_identifier?: unknown;
            /** @description A hint for caches; taken and not used */
            prompt_cache_key?: unknown;
            /** @description A hint for caches; taken and not used */
            prompt_cache_retention?: unknown;
            /** @description A class of service; taken and not used */
            service_tier?: unknown;
            /** @description Answers with chunks */
            stream?: boolean | null;
            /** @description What a stream holds */
            stream_options?: {
                /** @description A last chunk with the usage */
                include_usage?: boolean | null;
                /** @description Taken and not used */
                include_obfuscation?: unknown;
            } | null;
            /** @description Your functions, beside the agent's tools, which run on the server */
            tools?: {
                /**
                 * @description A function that you perform
                 * @constant
                 */
                type: "function";
                /** @description What it is */
                function: {
                    /** @description 1 to 64 of A-Z a-z 0-9 _ -; no name of a tool of ours */
                    name: string;
                    /** @description What it does, for the model */
                    description?: string | null;
                    /** @description JSON Schema of its arguments, an object */
                    parameters?: {
                        [key: string]: unknown;
                    } | null;
                    /** @description Arguments are checked by the schema in any case; taken and not used */
                    strict?: unknown;
                };
            }[] | null;
            /** @description The form of the answer, as `output_schema` of a run */
            response_format?: ({
                /**
                 * @description Any text
                 * @constant
                 */
                type: "text";
            } | {
                /**
                 * @description Any JSON object
                 * @constant
                 */
                type: "json_object";
            } | {
                /**
                 * @description Data by a schema
                 * @constant
                 */
                type: "json_schema";
                /** @description The form */
                json_schema: {
                    /** @description A name of the form; not used */
                    name?: string | null;
                    /** @description What it is for; not used */
                    description?: string | null;
                    /** @description JSON Schema of the answer */
                    schema?: {
                        [key: string]: unknown;
                    } | null;
                    /** @description The answer is checked in any case; taken and not used */
                    strict?: unknown;
                };
            }) | null;
            /** @description Longest answer */
            max_completion_tokens?: number | null;
            /** @description Longest answer */
            max_tokens?: number | null;
            /** @description How hard the model thinks */
            reasoning_effort?: ("none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max") | null;
            /** @description For answers that repeat */
            seed?: number | null;
            /** @description Texts that end an answer */
            stop?: string | string[] | null;
            /** @description One answer */
            n?: 1 | null;
        };
        /** @description A turn of a run in the words of chat completions */
        ChatCompletion: {
            /** @description `chatcmpl-` and the rest of the id of the run, `_1`, `_2` … where it has gone on */
            id: string;
            /** @description Seconds since 1970 */
            created: number;
            /** @description As asked, or `agent/<name>` */
            model: string;
            /**
             * @description Always `chat.completion`: which kind of object this is
             * @constant
             */
            object: "chat.completion";
            /** @description One answer */
            choices: ({
                /** @description Always 0 */
                index: number;
                /** @description The answer */
                message: {
                    /**
                     * @description The agent
                     * @constant
                     */
                    role: "assistant";
                    /** @description All that it said; null: it only calls your functions */
                    content: string | null;
                    /** @description Calls that you perform */
                    tool_calls?: {
                        /** @description Its name, by which its result comes back */
                        id: string;
                        /**
                         * @description A call of your function
                         * @constant
                         */
                        type: "function";
                        /** @description What is called */
                        function: {
                            /** @description The function */
                            name: string;
                            /** @description JSON text */
                            arguments: string;
                        };
                    }[];
                } & {
                    [key: string]: unknown;
                };
                /**
                 * @description Why it ends; `length`: by a limit of tokens, steps or budget
                 * @enum {string}
                 */
                finish_reason: "stop" | "length" | "tool_calls" | "content_filter";
            } & {
                [key: string]: unknown;
            })[];
            /** @description Of all calls of models in this answer */
            usage: {
                /** @description Tokens in */
                prompt_tokens: number;
                /** @description Tokens out */
                completion_tokens: number;
                /** @description Both */
                total_tokens: number;
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        /** @description A piece of a chat completion; `[DONE]` ends the stream */
        ChatCompletionChunk: {
            /** @description `chatcmpl-` and the rest of the id of the run, `_1`, `_2` … where it has gone on */
            id: string;
            /** @description Seconds since 1970 */
            created: number;
            /** @description As asked, or `agent/<name>` */
            model: string;
            /**
             * @description Always `chat.completion.chunk`: which kind of object this is
             * @constant
             */
            object: "chat.completion.chunk";
            /** @description Pieces of the answer; empty in the chunk of the usage */
            choices: unknown[];
        } & {
            [key: string]: unknown;
        };
        /** @description What every answer about a delivery says of it */
        DeliveryBase: {
            /** @description The delivery (`dlv_` and 26 characters) */
            id: string;
            /**
             * @description Always `webhook_delivery`: which kind of object this is
             * @constant
             */
            object: "webhook_delivery";
            /** @description The run (`run_…`) or fan-out (`fan_…`) of the event; null: the event is the tenant's own */
            run_id: string | null;
            /** @description The endpoint: `whe_` and 26 characters; null: it goes to the webhook of the run */
            endpoint_id: string | null;
            /** @description The `seq` of the event; 0: it stands in no log */
            seq: number;
            /** @description The type of the event, e.g. `run.completed` */
            event_type: string;
            /** @description Where the last attempt went; the next one goes where the endpoint then is */
            url: string;
            /**
             * @description Form of the body, as it was when the event was handed in; `a2a`: a push of A2A
             * @enum {string}
             */
            format: "standard" | "cloudevents" | "a2a";
            /**
             * @description `failed`: given up. `disabled`: the receiver said 410, or its endpoint is switched off. `dropped`: its endpoint was deleted
             * @enum {string}
             */
            status: "pending" | "delivered" | "failed" | "disabled" | "dropped";
            /** @description Attempts since it was created or replayed; 10 at the most */
            attempts: number;
            /** @description Number of manual replays */
            redrives: number;
            /** @description When the next attempt is due (RFC 3339, UTC); null: there is none */
            next_at: string | null;
            /** @description The HTTP status of the last attempt; null: no answer, or no attempt yet */
            last_status: number | null;
            /** @description Why the last attempt failed, or why there will be no more; null: neither */
            last_error: string | null;
            /** @description When the event was handed in (RFC 3339, UTC) */
            created_at: string;
        };
        /** @description One event on its way to one webhook */
        Delivery: components["schemas"]["DeliveryBase"];
        /** @description A delivery with all its attempts */
        DeliveryWithAttempts: components["schemas"]["DeliveryBase"] & {
            /** @description Its attempts, oldest first */
            history: {
                /** @description When it was made (RFC 3339, UTC) */
                at: string;
                /** @description The HTTP status; null: there was no answer */
                status: number | null;
                /** @description Why it failed; null: it was accepted */
                error: string | null;
                /** @description Milliseconds until the answer, or until it failed */
                duration_ms: number;
                /** @description The manual replay that it belongs to, from 1; absent: none */
                redrive?: number;
            }[];
            /** @description The beginning of the last answer, at most 4 KiB; null: there was none */
            last_body: string | null;
        };
        /** @description A range of deliveries to replay; without members: all that were given up */
        ReplayInput: {
            /**
             * Format: date-time
             * @description Created at or after this time, RFC 3339
             */
            from?: string | null;
            /**
             * Format: date-time
             * @description Created before this time, RFC 3339
             */
            to?: string | null;
            /** @description Only these; default: `failed` and `disabled`, all that were given up */
            status?: ("failed" | "disabled" | "dropped" | "delivered") | null;
            /** @description Only those to this endpoint: `whe_` and 26 characters */
            endpoint_id?: string | null;
            /** @description Go on where the answer before stopped: its `next_cursor`, with the same range */
            cursor?: string | null;
        };
        /** @description The replayed deliveries */
        Replayed: {
            /** @description Ids of the deliveries that are under way again */
            replayed: string[];
            /** @description Go on with it as `cursor`; null: the range is done */
            next_cursor: string | null;
            /** @description Whether some of the range are left */
            has_more: boolean;
        };
        /** @description The data of `assistant.delta`: text of a model as it comes, in streams only */
        AssistantDelta: {
            /** @description The run whose model writes (`run_` and 26 characters) */
            run_id: string;
            /** @description When it changes, discard the text shown so far for this step */
            epoch: number;
            /** @description The answer that it is a piece of, counted from 0 */
            step: number;
            /** @description Where the text stands in the message, in UTF-16 characters; a stream begins with the whole message so far, at 0. More than was shown: pieces were missed, and the finished message has them */
            at?: number;
            /** @description It takes the place of what was shown from `at` on */
            text?: string;
            /**
             * @description Discard the text shown so far for this step
             * @constant
             */
            reset?: true;
        };
        /** @description The data of `subagent.started`: a subagent has begun, in streams only */
        SubagentStarted: {
            /** @description The subagent (`run_` and 26 characters) */
            run_id: string;
            /** @description The run that asked for it (`run_` and 26 characters) */
            parent_run_id: string;
            /** @description The spawn call of that run (`call_` and 26 characters) */
            call: string;
            /** @description The agent, by its id in the layers */
            agent: string;
            /** @description `provider/model` that it runs on */
            model: string;
            /** @description A short name for people; null: none was given */
            label: string | null;
        };
        /** @description The data of one server-sent event. Its `event:` says which: the `type` of an event of a log, `assistant.delta` (AssistantDelta) or `subagent.started` (SubagentStarted), which have no `type` */
        RunStreamData: components["schemas"]["Event"] | components["schemas"]["AssistantDelta"] | components["schemas"]["SubagentStarted"];
        /** @description The data of one server-sent event. Its `event:` says which: the `type` of an event of a log, `assistant.delta` (AssistantDelta) or `subagent.started` (SubagentStarted), which have no `type` */
        FanoutStreamData: components["schemas"]["FanoutEvent"] | components["schemas"]["Event"] | components["schemas"]["AssistantDelta"] | components["schemas"]["SubagentStarted"];
        /** @description Some of the tasks of an open fan-out */
        FanoutPageInput: {
            /** @description Its number, from 0 on; the same page twice is one page, and any order will do */
            page: number;
            /** @description The first one has the index `page` times 1,000 */
            tasks: {
                /** @description The task for the agent: a text, or parts with pictures and files */
                task: string | components["schemas"]["InputPart"][];
                /** @description The id of an agent. Default: `general` */
                agent?: string | null;
                /** @description A short name for people and filters */
                label?: string | null;
                /** @description Background that precedes the task; tasks may share one */
                context?: string | null;
                /** @description Default: a `[role]` prefix of the label, then of the task */
                role?: string | null;
                /** @description A key prefix without leading slash, e.g. `repos/app` */
                repo_dir?: string | null;
                /** @description Intersects what the agent has, and what every run below it has */
                tools?: string[] | null;
                /** @description For the run and every run below it; globs are allowed */
                disallowed_tools?: string[] | null;
                /** @description An alias or `provider/model`. Default: the agent's, else the deployment's */
                model?: string | null;
                /** @description Settings of its calls to models, before those of its agent and of its alias; what a provider does not take is a warning of the run */
                model_settings?: components["schemas"]["ModelSettingsInput"] | null;
                /** @description JSON Schema of the answer: it is asked for twice, then `schema_error` says why */
                output_schema?: {
                    [key: string]: unknown;
                } | null;
                /** @description With `output_schema`: when the answer does not fit it, also when it was asked for again, the run ends as `failed` with the code `schema_unmet` */
                output_schema_required?: boolean | null;
                /** @description Your own pairs, shown in lists and webhooks: at most 16, keys of up to 64 characters, values of up to 512 */
                metadata?: {
                    [key: string]: string;
                } | null;
                /** @description Running time of this task in seconds. Default: what the agent says, else 3600 */
                timeout_seconds?: number | null;
            }[];
        };
        /** @description The end of the list of pages */
        FanoutSealInput: {
            /** @description Total number of pages; pages 0 to `pages` - 1 must have arrived */
            pages: number;
        };
        /** @description A fan-out to be created */
        FanoutInput: {
            /** @description Each is a run of its own; with an empty list the fan-out ends at once. Needed unless it is open */
            tasks?: {
                /** @description The task for the agent: a text, or parts with pictures and files */
                task: string | components["schemas"]["InputPart"][];
                /** @description The id of an agent. Default: `general` */
                agent?: string | null;
                /** @description A short name for people and filters */
                label?: string | null;
                /** @description Background that precedes the task; tasks may share one */
                context?: string | null;
                /** @description Default: a `[role]` prefix of the label, then of the task */
                role?: string | null;
                /** @description A key prefix without leading slash, e.g. `repos/app` */
                repo_dir?: string | null;
                /** @description Intersects what the agent has, and what every run below it has */
                tools?: string[] | null;
                /** @description For the run and every run below it; globs are allowed */
                disallowed_tools?: string[] | null;
                /** @description An alias or `provider/model`. Default: the agent's, else the deployment's */
                model?: string | null;
                /** @description Settings of its calls to models, before those of its agent and of its alias; what a provider does not take is a warning of the run */
                model_settings?: components["schemas"]["ModelSettingsInput"] | null;
                /** @description JSON Schema of the answer: it is asked for twice, then `schema_error` says why */
                output_schema?: {
                    [key: string]: unknown;
                } | null;
                /** @description With `output_schema`: when the answer does not fit it, also when it was asked for again, the run ends as `failed` with the code `schema_unmet` */
                output_schema_required?: boolean | null;
                /** @description Your own pairs, shown in lists and webhooks: at most 16, keys of up to 64 characters, values of up to 512 */
                metadata?: {
                    [key: string]: string;
                } | null;
                /** @description Running time of this task in seconds. Default: what the agent says, else 3600 */
                timeout_seconds?: number | null;
            }[] | null;
            /** @description Tasks follow by pages (POST /v1/fanouts/{id}/tasks), up to 100,000, until it is sealed; it waits for all of them. Without a page for a day it fails */
            open?: boolean | null;
            /** @description A short name for people and filters */
            label?: string | null;
            /** @description Your own pairs, shown in lists and webhooks: at most 16, keys of up to 64 characters, values of up to 512 */
            metadata?: {
                [key: string]: string;
            } | null;
            /** @description A budget over all its runs: each is given a share when it begins and returns what it does not spend; tasks for which nothing is left are not begun. The closing run gets what is left, and one call at least */
            limits?: {
                /** @description Of all its runs together */
                max_tokens?: number | null;
                /** @description Of all its runs together */
                max_model_calls?: number | null;
                /** @description US dollars of all its runs together; a model without a price is refused */
                max_cost_usd?: number | null;
            } | null;
            /** @description `deadline_seconds` counts from the creation */
            join?: components["schemas"]["JoinInput"] | null;
            /** @description A run that gets all results when they are there */
            then?: {
                /** @description The id of an agent. Default: `general` */
                agent?: string | null;
                /** @description The task of the closing run (the results follow as a second message): a text, or parts with pictures and files */
                input: string | components["schemas"]["InputPart"][];
            } | null;
            /** @description Webhook for this fan-out, in addition to the tenant's endpoints */
            webhook?: {
                /** @description Target of the POST requests; addresses that are not public are refused */
                url: string;
                /** @description `whsec_` and 24 to 64 bytes in base 64; omitted: generated and shown once */
                secret?: string | null;
                /** @description Form of the bodies. `standard`: type, timestamp and data. `cloudevents`: a CloudEvent 1.0 in structured mode. Both are signed by Standard Webhooks. Default: `standard` */
                format?: ("standard" | "cloudevents") | null;
                /** @description Event types to send; default: fanout.completed, fanout.failed, fanout.cancelled */
                events?: ("fanout.created" | "fanout.completed" | "fanout.failed" | "fanout.cancelled" | "subagent.spawned" | "subagent.announced" | "subagent.failed" | "approval.requested" | "question.asked" | "question.answered")[] | null;
            } | null;
            /** @description Approval settings for the fan-out and everything below */
            approvals?: components["schemas"]["ApprovalSettingsInput"] | null;
            /** @description Nothing is performed or billed before this time (RFC 3339), which is within 2592000 s */
            start_at?: string | null;
            /** @description Seconds from `start_at`, else from now. What has not begun by then ends as `timed_out` with the code `expired`, at the latest when its turn in the lane comes */
            expires_in?: number | null;
            /** @description Of the tenant's queued runs in a lane those with more come first; default 0. Where the queue keeps its own order (AWS), the warning `priority_ignored` says so */
            priority?: number | null;
            /** @description Warnings about files refuse the request. Default: the policy's */
            strict?: boolean | null;
            /** @description When layers define the same name: the nearer one counts, or the request is refused. Default: the policy's */
            on_duplicate?: ("shadow" | "reject") | null;
        };
        /** @description What every answer about a fan-out says of it */
        FanoutBase: {
            /** @description The fan-out (`fan_` and 26 characters) */
            id: string;
            /**
             * @description Always `fanout`: which kind of object this is
             * @constant
             */
            object: "fanout";
            /**
             * @description All but `running` are ends. `completed`: its tasks were waited for, however they ended
             * @enum {string}
             */
            status: "running" | "completed" | "failed" | "cancelled";
            /** @description A short name for people; null: none was given */
            label: string | null;
            /** @description The caller's own pairs for this fan-out; empty: none */
            metadata: {
                [key: string]: string;
            };
            /** @description The budget of all its runs together */
            limits: components["schemas"]["Allotment"];
            /** @description More pages of tasks may come */
            open: boolean;
            /** @description Pages that have come; null: it was created with all its tasks */
            pages: number | null;
            /** @description The open fan-out whose page it is: pages are fan-outs, too */
            parent_fanout_id: string | null;
            /** @description Why it waits for no more tasks; null: it still does, or did not get so far */
            released_by: ("joined" | "deadline" | "budget") | null;
            join: components["schemas"]["Join"];
            /** @description Where its tasks stand */
            children: components["schemas"]["TaskCounts"];
            /** @description The run that gets all results (`run_` and 26 characters); null: it was not created */
            closing_run_id: string | null;
            /** @description Result of the closing run; null: not finished, or there is none */
            output: {
                /** @description Its last answer */
                text: string;
                /** @description The answer as data, by the `output_schema`; null: none was asked for, or none fits */
                structured: unknown;
                /** @description Keys of files attached to the output */
                attachments: string[];
                /** @description Number of further keys, which only its run lists */
                attachments_left_out: number;
            } | null;
            /** @description Why it failed; null: it did not */
            error: components["schemas"]["RunError"] | null;
            /** @description Of all its runs that have reported their end */
            usage: components["schemas"]["Usage"];
            /** @description Problems that tasks run with, as found when they were accepted; absent: none */
            warnings?: components["schemas"]["TaskWarning"][];
            /** @description When it was accepted (RFC 3339, UTC) */
            created_at: string;
            /** @description When it ended (RFC 3339, UTC); null: not yet */
            ended_at: string | null;
        };
        /** @description Many tasks, each a run of its own */
        Fanout: components["schemas"]["FanoutBase"];
        /** @description A task and its result */
        TaskResult: {
            /** @description Its place among all tasks, from 0 */
            index: number;
            /** @description Its run (`run_` and 26 characters); null: it was not created */
            run_id: string | null;
            /** @description The agent, by its id in the layers */
            agent: string;
            /** @description A short name for people; null: none was given */
            label: string | null;
            /** @description The caller's own pairs for this task; empty: none */
            metadata: {
                [key: string]: string;
            };
            /** @description The first 200 characters of the task */
            task: string;
            /**
             * @description `queued`: it waits for a place. The last four are ends and never change
             * @enum {string}
             */
            status: "queued" | "live" | "completed" | "failed" | "cancelled" | "timed_out";
            /** @description Why its run ended, as the run says it; null: it has not ended */
            stop_reason: string | null;
            /** @description It ended after the fan-out: its result is only in its run */
            late: boolean;
            /** @description Its last answer, perhaps shortened; null: it did not complete */
            result: string | null;
            /** @description Its last text, perhaps shortened; absent: it completed, or said nothing */
            partial?: string;
            /** @description The answer as data, by the `output_schema`; null: none was asked for, or none fits */
            structured: unknown;
            /** @description Why the answer does not fit the schema; null: it does */
            schema_error: string | null;
            /** @description Keys of files attached to the output */
            attachments: string[];
            /** @description Number of further keys, which only its run lists */
            attachments_left_out: number;
            /** @description Why it did not complete; null: nothing went wrong */
            error: components["schemas"]["RunError"] | null;
            /** @description Of its run with all below; null: it has not ended, or never started */
            usage: components["schemas"]["Usage"] | null;
            /** @description Milliseconds from its start to its end; null: it has not ended, or never started */
            duration_ms: number | null;
            /** @description Problems that its run had to cope with; absent: none */
            warnings?: components["schemas"]["Warning"][];
            /** @description The run has the whole result */
            truncated: boolean;
        };
        /** @description A fan-out with the results so far */
        FanoutWithResults: components["schemas"]["FanoutBase"] & {
            /** @description In the order of the tasks; of one that takes pages none: see …/tasks */
            results: components["schemas"]["TaskResult"][];
        };
        /** @description A page that is durable */
        AddedFanoutPage: {
            /** @description The fan-out (`fan_` and 26 characters) */
            fanout_id: string;
            /** @description The number of the page, from 0 */
            page: number;
            /** @description Number of tasks in this page */
            tasks: number;
            /** @description Number of pages received so far */
            pages: number;
            /** @description Number of tasks received so far */
            total: number;
            /** @description The same page had come before: nothing has changed */
            replayed: boolean;
            /** @description Problems that its tasks run with, by task index; absent: none */
            warnings?: components["schemas"]["TaskWarning"][];
        };
        /** @description A fan-out as its creation is answered */
        CreatedFanout: components["schemas"]["FanoutBase"] & {
            /** @description The webhook's secret: only in the 202, only when it was generated */
            webhook_secret?: string;
        };
        /** @description A fan-out after a cancel, with its runs */
        CancelledFanout: components["schemas"]["FanoutBase"] & {
            /** @description Direct children with their status */
            cancelled_children: {
                /** @description The child (`run_` and 26 characters) */
                run_id: string;
                /** @description Its final status; `pending`: its end is on the way */
                status: string;
            }[];
        };
        /** @description The configuration of a run, fixed when it started */
        RunConfig: {
            /** @description The run (`run_` and 26 characters) */
            run_id: string;
            /**
             * @description Always `run.config`: which kind of object this is
             * @constant
             */
            object: "run.config";
            /** @description The agent of the run */
            agent: {
                /** @description The agent, by its id in the layers */
                id: string;
                /** @description The layer that its file lies in. Null: the run was started by an older release, which did not keep it */
                layer: string | null;
                /** @description The key of its file. Null: the run was started by an older release, which did not keep it */
                path: string | null;
                /** @description SHA-256 of its prompt. Null: the run was started by an older release, which did not keep it */
                body_digest: string | null;
            };
            /** @description `provider/model` */
            model: string;
            /** @description The model's context window in tokens */
            window: number;
            /** @description Models that are asked, in this order, when its own does not answer */
            fallbacks: string[];
            /** @description Of its calls to models: merged of run, agent and alias; null: none */
            model_settings: components["schemas"]["ModelSettings"] | null;
            /** @description Its bounds, defaults filled in */
            limits: {
                /** @description Maximum number of model answers */
                max_steps: number;
                /** @description Running time in seconds, without waits for people */
                timeout_seconds: number;
                /** @description Tokens with all below it; null: unlimited */
                max_tokens: number | null;
                /** @description Calls of models with all below it; null: unlimited */
                max_model_calls: number | null;
                /** @description US dollars with all below it; null: unlimited */
                max_cost_usd: number | null;
                /** @description Maximum number of subagents */
                max_children: number;
                /** @description Maximum depth of its tree */
                max_depth: number;
            };
            /** @description SHA-256 of the resolved configuration, for `POST /v1/resolve/diff` (64 hex digits) */
            config_digest: string;
            /** @description SHA-256 of all that stands here: equal for runs given the same (64 hex digits) */
            pin_digest: string;
            /** @description The agent's system prompt as the model was shown it */
            prompt: string;
            /** @description Notices to the model about missing parts */
            notes: string[];
            /** @description JSON Schema of the answer; null: none was asked for */
            output_schema: {
                [key: string]: unknown;
            } | null;
            /** @description How the model gets the `output_schema`, as far as the run has come; null without one */
            structured_output: components["schemas"]["StructuredOutput"] | null;
            /** @description In the order in which the model was offered them */
            tools: {
                /** @description Its name, as the model sees it */
                name: string;
                /** @description Purpose of the tool, as shown to the model */
                description: string;
                /** @description JSON Schema of its arguments, always of an object */
                input_schema: {
                    [key: string]: unknown;
                };
                /**
                 * @description Executor of the tool: Strata, a subagent, or an MCP server
                 * @enum {string}
                 */
                source: "builtin" | "spawn" | "mcp";
                /** @description With `mcp`: the name of the server */
                server?: string;
                /** @description With `mcp`: its name at the server */
                server_tool?: string;
                /**
                 * @description `ask`: a person is asked first. The policy applies in addition; absent: allowed
                 * @enum {string}
                 */
                rule?: "ask" | "deny";
                /**
                 * @description The model is shown it when it has found or called it; absent: always
                 * @constant
                 */
                deferred?: true;
                /** @description Origin of the rule: an agent, a skill or a server */
                ruled_by?: string;
            }[];
            /** @description Named by the agent or the caller and not there. Null: the run was started by an older release, which did not keep it */
            missing_tools: {
                /** @description The name as it was asked for */
                tool: string;
                /** @description Why not, for people */
                why: string;
            }[] | null;
            /** @description MCP servers of the offered tools */
            servers: {
                /** @description Its name; tools are called `mcp__<name>__<tool>` */
                name: string;
                /**
                 * @description Transport of MCP; `http`: Streamable HTTP
                 * @enum {string}
                 */
                transport: "stdio" | "http" | "sse";
                /** @description Its address, without user and password; null with `stdio` */
                url: string | null;
                /** @description The program that is started; null: it has an address */
                command: string | null;
                /** @description The directory that the program starts in; null: the default */
                cwd: string | null;
                /** @description Arguments of the program */
                args: string[];
                /** @description Names of environment variables; values are never shown */
                env: string[];
                /** @description Names of HTTP headers; values are never shown */
                http_headers: string[];
                /** @description Header to name of a secret */
                env_http_headers: {
                    [key: string]: string;
                };
                /** @description The name of a secret; null: no token is sent */
                bearer_token_env_var: string | null;
                /** @description The layer that defines it, by its prefix: `base/`, `roles/<role>/`, `repos/<name>/` */
                layer: string;
            }[];
            /** @description Servers that it was to have and has not. Null: the run was started by an older release, which did not keep it */
            missing_servers: {
                /** @description The server */
                name: string;
                /** @description Stable; decide by this */
                code: string;
                /** @description Why not, for people */
                why: string;
            }[] | null;
            /** @description Skills that it may open */
            skills: {
                /** @description The name of its directory */
                id: string;
                /** @description When to use it, as the model reads it */
                description: string;
                /** @description The key of its SKILL.md */
                path: string;
                /** @description SHA-256 of its SKILL.md (64 hex digits) */
                file_digest: string;
                /** @description Files of its directory */
                files: {
                    /** @description Below the skill's directory */
                    path: string;
                    /** @description The etag of the file then, without quotes */
                    etag: string;
                }[];
            }[];
            /** @description Agents that it may start */
            agents: {
                /** @description The agent, by its id in the layers */
                id: string;
                /** @description SHA-256 of its prompt (64 hex digits) */
                body_digest: string;
            }[];
            /** @description The layers it was resolved from, lowest precedence first. Null: the run was started by an older release, which did not keep it */
            layers: {
                /** @description `builtin`, `base`, `role`, `repo` or `run` */
                kind: string;
                /** @description The layer, by its prefix: `base/`, `roles/<role>/`, `repos/<name>/` */
                layer: string;
            }[] | null;
            /** @description Problems that it runs with; empty: none */
            warnings: ({
                /** @description Stable; decide by this */
                code: string;
                /** @description Explanation for people */
                message: string;
            } & {
                [key: string]: unknown;
            })[];
        };
        /** @description A stored file */
        File: {
            /** @description The key of the file, as `/v1/files/{path}` takes it */
            path: string;
            /** @description The etag of its bytes, without quotes */
            etag: string;
            /** @description Size in bytes */
            size: number;
        };
        /** @description A hook to be created */
        HookInput: {
            /**
             * @description `standard`: Standard Webhooks 1.0; `svix`: the same by `svix-…` headers; `github`: `X-Hub-Signature-256`; `slack`: `X-Slack-Signature`, its challenge is answered; `stripe`: `Stripe-Signature`; `linear`: `Linear-Signature`
             * @enum {string}
             */
            scheme: "standard" | "svix" | "github" | "slack" | "stripe" | "linear";
            /** @description `whsec_…`; with `github`, `slack`, `stripe` and `linear` the text that the service shows, from 16 characters; omitted: made, shown once */
            secret?: string | null;
            /** @description `whpk_…`: Ed25519 keys whose `v1a` signatures are believed */
            public_keys?: string[] | null;
            /** @description The run's input: `{{issue.title}}`, `{{commits[0].id}}`, `{{$}}` the payload, `{{$event}}` its kind */
            template?: string | null;
            /** @description Kinds that start a run: `X-GitHub-Event`, Slack's `event.type` or command, else `type` of the payload; default: all */
            events?: string[] | null;
            /** @description For people; null: none */
            description?: string | null;
            /** @description The id of the agent that its runs are */
            agent?: string | null;
            /** @description A short name for people and filters */
            label?: string | null;
            /** @description The role layer `roles/<role>/` of its runs */
            role?: string | null;
            /** @description The repository layer of its runs: a key prefix, e.g. `repos/app` */
            repo_dir?: string | null;
            /** @description The session whose transcript its runs continue */
            session_id?: string | null;
            /** @description An alias or `provider/model`. Default: the agent's, else the deployment's */
            model?: string | null;
            /** @description Paths of the payload that hold pictures or files, as an https address or in base64, e.g. `photo.url`; one that cannot be read is named in the task */
            media?: string[] | null;
            /** @description Intersects what the agent has, and what every run below it has */
            tools?: string[] | null;
            /** @description For the run and every run below it; globs are allowed */
            disallowed_tools?: string[] | null;
            /** @description Bounds of its runs; what is omitted has its default */
            limits?: {
                /** @description Answers of the model; after them one last call without tools. Default: what the agent says, else 50 */
                max_steps?: number | null;
                /** @description Running time in seconds, without waits for people. Default: what the agent says, else 3600 */
                timeout_seconds?: number | null;
                /** @description Tokens in and out, of the run with everything below it; omitted: unlimited */
                max_tokens?: number | null;
                /** @description Calls of models, of the run with everything below it; omitted: unlimited */
                max_model_calls?: number | null;
                /** @description US dollars by the list of prices, of the run with everything below it; omitted: unlimited. The call that exceeds it is the last; a model without a price is refused (`price_unknown`) */
                max_cost_usd?: number | null;
                /** @description Subagents that the run may start in all; 0: none. Default: 1000 */
                max_children?: number | null;
            } | null;
            /** @description Approval settings for its runs and everything below */
            approvals?: components["schemas"]["ApprovalSettingsInput"] | null;
        };
        /** @description Omitted members stay as they are; null removes one. `template` and `agent` cannot be removed. */
        HookPatch: {
            /** @description The run's input: `{{issue.title}}`, `{{commits[0].id}}`, `{{$}}` the payload, `{{$event}}` its kind */
            template?: string;
            /** @description The id of the agent that its runs are */
            agent?: string;
            /** @description Kinds that start a run: `X-GitHub-Event`, Slack's `event.type` or command, else `type` of the payload; null: all */
            events?: string[] | null;
            /** @description For people; null: none */
            description?: string | null;
            /** @description `whpk_…`: Ed25519 keys that are believed from now on; null: none */
            public_keys?: string[] | null;
            /** @description A short name for people and filters; null takes it away */
            label?: string | null;
            /** @description The role layer `roles/<role>/` of its runs; null takes it away */
            role?: string | null;
            /** @description The repository layer of its runs: a key prefix, e.g. `repos/app`; null takes it away */
            repo_dir?: string | null;
            /** @description The session whose transcript its runs continue; null takes it away */
            session_id?: string | null;
            /** @description An alias or `provider/model`. Default: the agent's, else the deployment's; null takes it away */
            model?: string | null;
            /** @description Paths of the payload that hold pictures or files, as an https address or in base64, e.g. `photo.url`; one that cannot be read is named in the task; null takes it away */
            media?: string[] | null;
            /** @description Intersects what the agent has, and what every run below it has; null takes it away */
            tools?: string[] | null;
            /** @description For the run and every run below it; globs are allowed; null takes it away */
            disallowed_tools?: string[] | null;
            /** @description Bounds of its runs; what is omitted has its default; null takes it away */
            limits?: {
                /** @description Answers of the model; after them one last call without tools. Default: what the agent says, else 50 */
                max_steps?: number;
                /** @description Running time in seconds, without waits for people. Default: what the agent says, else 3600 */
                timeout_seconds?: number;
                /** @description Tokens in and out, of the run with everything below it; omitted: unlimited */
                max_tokens?: number;
                /** @description Calls of models, of the run with everything below it; omitted: unlimited */
                max_model_calls?: number;
                /** @description US dollars by the list of prices, of the run with everything below it; omitted: unlimited. The call that exceeds it is the last; a model without a price is refused (`price_unknown`) */
                max_cost_usd?: number;
                /** @description Subagents that the run may start in all; 0: none. Default: 1000 */
                max_children?: number;
            } | null;
            /** @description Approval settings for its runs and everything below; null takes it away */
            approvals?: components["schemas"]["ApprovalSettingsInput"] | null;
        };
        /** @description The new secret; the body may be left out */
        HookRotation: {
            /** @description `whsec_…`; with `github`, `slack`, `stripe` and `linear` the text that the service shows, from 16 characters; omitted: made, shown once */
            secret?: string | null;
        };
        /** @description What every answer about a hook says of it */
        HookBase: {
            /** @description The hook (`hk_` and 26 characters) */
            id: string;
            /**
             * @description Always `hook`: which kind of object this is
             * @constant
             */
            object: "hook";
            /** @description Where the sender posts to, below the address of this deployment */
            url_path: string;
            /**
             * @description `standard`: Standard Webhooks 1.0; `svix`: the same by `svix-…` headers; `github`: `X-Hub-Signature-256`; `slack`: `X-Slack-Signature`, its challenge is answered; `stripe`: `Stripe-Signature`; `linear`: `Linear-Signature`
             * @enum {string}
             */
            scheme: "standard" | "svix" | "github" | "slack" | "stripe" | "linear";
            /** @description The run's input: `{{issue.title}}`, `{{commits[0].id}}`, `{{$}}` the payload, `{{$event}}` its kind */
            template: string;
            /** @description Kinds that start a run: `X-GitHub-Event`, Slack's `event.type` or command, else `type` of the payload; null: all */
            events: string[] | null;
            /** @description For people; null: none */
            description: string | null;
            /** @description Ed25519 keys that are believed too; empty: none */
            public_keys: string[];
            /** @description The run that a message starts */
            run: {
                /** @description The agent that its runs are, by its id in the layers */
                agent: string;
                /** @description A short name for people and filters */
                label?: string;
                /** @description The role layer `roles/<role>/` of its runs */
                role?: string;
                /** @description The repository layer of its runs: a key prefix, e.g. `repos/app` */
                repo_dir?: string;
                /** @description The session whose transcript its runs continue */
                session_id?: string;
                /** @description An alias or `provider/model`. Default: the agent's, else the deployment's */
                model?: string;
                /** @description Paths of the payload that hold pictures or files, as an https address or in base64, e.g. `photo.url`; one that cannot be read is named in the task */
                media?: string[];
                /** @description Intersects what the agent has, and what every run below it has */
                tools?: string[];
                /** @description For the run and every run below it; globs are allowed */
                disallowed_tools?: string[];
                /** @description Bounds of its runs; what is omitted has its default */
                limits?: {
                    /** @description Answers of the model; after them one last call without tools. Default: what the agent says, else 50 */
                    max_steps?: number;
                    /** @description Running time in seconds, without waits for people. Default: what the agent says, else 3600 */
                    timeout_seconds?: number;
                    /** @description Tokens in and out, of the run with everything below it; omitted: unlimited */
                    max_tokens?: number;
                    /** @description Calls of models, of the run with everything below it; omitted: unlimited */
                    max_model_calls?: number;
                    /** @description US dollars by the list of prices, of the run with everything below it; omitted: unlimited. The call that exceeds it is the last; a model without a price is refused (`price_unknown`) */
                    max_cost_usd?: number;
                    /** @description Subagents that the run may start in all; 0: none. Default: 1000 */
                    max_children?: number;
                };
                /** @description Approval settings for its runs and everything below */
                approvals?: components["schemas"]["ApprovalSettings"];
            };
            /** @description When it was created (RFC 3339, UTC) */
            created_at: string;
        };
        /** @description An inbound webhook and the run that it starts */
        Hook: components["schemas"]["HookBase"];
        /** @description A hook as its creation and the rotation of its secret are answered */
        HookWithSecret: components["schemas"]["HookBase"] & {
            /** @description Only when it was generated, only in this answer */
            secret?: string;
        };
        /** @description The outcome of a received message */
        HookReceived: {
            /** @description The run that it started (`run_` and 26 characters); null: this kind of event starts no run */
            run_id: string | null;
            /** @description With `slack`: the challenge by which Slack tries the address */
            challenge?: string;
        };
        /** @description A key to be made */
        ApiKeyInput: {
            /** @description For people */
            name?: string | null;
            /** @description At most those of the key that makes it; `runs:*` is a family, `*` all */
            scopes: ("*" | "approvals:*" | "audit:*" | "config:*" | "hooks:*" | "keys:*" | "layers:*" | "memory:*" | "metrics:*" | "policy:*" | "runs:*" | "schedules:*" | "sessions:*" | "webhooks:*" | "approvals:read" | "approvals:write" | "audit:read" | "config:raw" | "hooks:read" | "hooks:write" | "keys:read" | "keys:write" | "layers:read" | "layers:write" | "memory:read" | "memory:write" | "metrics:read" | "policy:read" | "policy:write" | "runs:read" | "runs:write" | "schedules:read" | "schedules:write" | "sessions:read" | "sessions:write" | "webhooks:read" | "webhooks:write")[];
            /**
             * Format: date-time
             * @description Omitted: it does not expire
             */
            expires_at?: string | null;
        };
        /** @description How a key is replaced */
        ApiKeyRotation: {
            /** @description For so long the old key goes on, unless it ends before */
            overlap_seconds?: number | null;
        };
        /** @description What every answer about a key says of it */
        ApiKeyBase: {
            /** @description The key: the 16 characters behind `strata_` in its text; the audit names it so */
            id: string;
            /**
             * @description Always `api_key`: which kind of object this is
             * @constant
             */
            object: "api_key";
            /** @description For people; null: none was given */
            name: string | null;
            /** @description The granted scopes */
            scopes: string[];
            /** @description Whether this request came with it */
            current: boolean;
            /** @description Whether it is over, and refused */
            expired: boolean;
            /** @description Until then it counts (RFC 3339, UTC); null: it does not expire */
            expires_at: string | null;
            /** @description When it was made (RFC 3339, UTC) */
            created_at: string;
        };
        /** @description A key of the tenant */
        ApiKey: components["schemas"]["ApiKeyBase"];
        /** @description A key that was just made */
        ApiKeyWithText: components["schemas"]["ApiKeyBase"] & {
            /** @description Its text, shown once; null: an earlier answer to this request has shown it */
            key: string | null;
        };
        /** @description An answer of MCP (JSON-RPC 2.0) to one message */
        McpResponse: {
            /**
             * @description The version of JSON-RPC
             * @constant
             */
            jsonrpc: "2.0";
            /** @description That of the message; null: it could not be read */
            id?: string | number | null;
            /** @description Result of the method */
            result?: {
                [key: string]: unknown;
            };
            /** @description Why there is no result */
            error?: {
                /** @description As JSON-RPC has it, e.g. -32600: no valid request */
                code: number;
                /** @description Explanation for people */
                message: string;
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        /** @description An answer of MCP (JSON-RPC 2.0), or several to several messages */
        McpAnswer: components["schemas"]["McpResponse"] | components["schemas"]["McpResponse"][];
        /** @description Files of memory */
        MemoryFiles: {
            /** @description By path, at most 1,000 */
            files: {
                /** @description The file, as `/v1/memory/{path}` takes it */
                path: string;
                /** @description The etag of its bytes, without quotes */
                etag: string;
                /** @description Size in bytes */
                size: number;
            }[];
            /** @description What this answer leaves out, in sentences */
            notes: string[];
        };
        /** @description A file of memory, or a part of it */
        MemoryText: {
            /** @description The file, as `/v1/memory/{path}` takes it */
            path: string;
            /** @description The lines that were asked for */
            text: string;
            /** @description The etag of the whole file, without quotes */
            etag: string;
            /** @description Which lines these are; `to` is below `from` when there are none */
            lines: {
                /** @description The first line, from 1 */
                from: number;
                /** @description The last line */
                to: number;
                /** @description Lines of the file */
                total: number;
            };
            /** @description Whether lines follow */
            more: boolean;
        };
        /** @description The whole text of a file */
        MemoryPut: {
            /** @description Markdown */
            content: string;
        };
        /** @description Entries to add */
        MemoryAppend: {
            /** @description Markdown */
            content: string;
            /** @description The heading under which entries go that come without one; made if missing */
            heading?: string | null;
        };
        /** @description A change of memory */
        MemoryWritten: {
            /** @description The file, as `/v1/memory/{path}` takes it */
            path: string;
            /** @description The etag of the file as it is now, without quotes */
            etag: string;
            /** @description Whether there was no such file before */
            created: boolean;
            /** @description Entries that were added; 1 for a whole text */
            added: number;
            /** @description Entries that were there already, and were left */
            duplicates: number;
            /** @description Size of the file */
            bytes: number;
            /** @description Whether values of secrets were taken out of the content */
            redacted: boolean;
        };
        /** @description A file is gone */
        MemoryDeleted: {
            /** @description The file, as `/v1/memory/{path}` takes it */
            path: string;
            /** @description False: there was none */
            deleted: boolean;
        };
        /** @description Passages of memory */
        MemoryFound: {
            /** @description The best first */
            passages: {
                /** @description The file, as `/v1/memory/{path}` takes it */
                path: string;
                /** @description Where it stands in the file */
                lines: {
                    /** @description The first line, from 1 */
                    from: number;
                    /** @description The last line */
                    to: number;
                };
                /** @description The headings above it, with ` › ` between; empty: none */
                heading: string;
                /** @description The passage */
                text: string;
                /** @description Places of the text that match */
                highlights: {
                    /** @description Where it begins, in UTF-16 units */
                    from: number;
                    /** @description Behind its end */
                    to: number;
                }[];
                /** @description How well it matches, for the order only */
                score: number;
            }[];
            /** @description Files have changed that this answer does not know: ask again */
            stale: boolean;
            /** @description What this answer leaves out, in sentences */
            notes: string[];
        };
        /** @description The index of memory */
        MemoryStatus: {
            /**
             * @description Always `memory_status`: which kind of object this is
             * @constant
             */
            object: "memory_status";
            /** @description Markdown files */
            files: number;
            /** @description Passages that a search finds */
            passages: number;
            /** @description Size of the index in the bucket */
            index_bytes: number;
            /** @description Whether files have changed that the index does not know */
            stale: boolean;
            /** @description Changed files that were read for this answer */
            healed: number;
            /** @description Each memory, at most 100 */
            memories: {
                /** @description `shared/`, or the folder of an agent, role or session */
                folder: string;
                /** @description Markdown files */
                files: number;
                /** @description Passages that a search finds */
                passages: number;
                /** @description Size of the index in the bucket */
                index_bytes: number;
                /** @description Whether files have changed that the index does not know */
                stale: boolean;
                /** @description Changed files that were read for this answer */
                healed: number;
                /** @description What this answer leaves out, in sentences */
                notes: string[];
            }[];
        };
        /** @description Which index is made anew */
        MemoryRebuild: {
            /** @description Only memories of such paths */
            prefix?: string | null;
            /** @description True: what an earlier call has made stays; while an answer says `stale` */
            go_on?: boolean | null;
        };
        /** @description The whole policy; what is omitted has its default */
        PolicyInput: {
            /** @description Skills, servers and tools that no run gets */
            deny?: {
                /** @description Skills that no run has, whatever its layers say. Globs; `*` matches any run of characters */
                skills?: string[] | null;
                /** @description MCP servers that no run has, whatever its layers say. Globs; `*` matches any run of characters */
                servers?: string[] | null;
                /** @description Tools that no run may call, as the model sees them: `web_fetch`, `mcp__helpdesk__*`. Globs; `*` matches any run of characters */
                tools?: string[] | null;
            } | null;
            /** @description Tool glob to rule; of several that match the strictest counts */
            approvals?: {
                [key: string]: "allow" | "ask" | "deny";
            } | null;
            /** @description Tools that user-facing agents may use; null: the built-in list */
            user_facing_tools?: string[] | null;
            /** @description Whether warnings about files refuse a request that does not say so itself */
            strict?: boolean | null;
            /** @description When layers define the same name: the nearer one counts, or requests are refused */
            on_duplicate?: ("shadow" | "reject") | null;
            /** @description When none of the tools that a run names is available: refuse it or let it run */
            on_missing_tools?: ("refuse" | "allow") | null;
            /** @description A role that has no layer: use the base layer with a warning, or refuse */
            on_invalid_role?: ("base" | "refuse") | null;
            /** @description Folder of the base layer with older skills by role: `<folder>/<role>/<skill>/` */
            skills_role_dir?: string | null;
            /** @description Alias to `provider/model`, looked up before the deployment's own */
            model_aliases?: {
                [key: string]: string;
            } | null;
            /** @description `provider/model` to its price in US dollars; without it no cost */
            prices?: {
                [key: string]: {
                    /** @description US dollars for a million input tokens */
                    input_per_million: number;
                    /** @description US dollars for a million output tokens */
                    output_per_million: number;
                    /** @description Input that the provider had in its cache; absent: like any input */
                    cache_read_per_million?: number | null;
                    /** @description Input that the provider took into its cache; absent: like any input */
                    cache_write_per_million?: number | null;
                };
            } | null;
            /** @description The memory of agents whose files do not say */
            memory?: {
                /** @description Whose memory agents have whose files say nothing of it; null: they have none */
                scope?: ("shared" | "agent" | "role" | "session") | null;
                /** @description Whether runs with memory begin with its MEMORY.md and the notes of two days */
                start?: boolean | null;
            } | null;
            /** @description What `web_fetch` and `web_search` may reach */
            web?: {
                /** @description Only these, each with all below it; empty: all that are not denied */
                allowed_domains?: string[] | null;
                /** @description Never these, each with all below it */
                denied_domains?: string[] | null;
                /** @description Whether pages are left alone that their `robots.txt` does not want read */
                robots?: ("respect" | "ignore") | null;
            } | null;
        };
        /** @description Tenant-wide rules that layers cannot override */
        Policy: {
            /**
             * @description Skills, servers and tools that no run gets
             * @default {
             *       "skills": [],
             *       "servers": [],
             *       "tools": []
             *     }
             */
            deny: {
                /**
                 * @description Skills that no run has, whatever its layers say. Globs; `*` matches any run of characters
                 * @default []
                 */
                skills: string[];
                /**
                 * @description MCP servers that no run has, whatever its layers say. Globs; `*` matches any run of characters
                 * @default []
                 */
                servers: string[];
                /**
                 * @description Tools that no run may call, as the model sees them: `web_fetch`, `mcp__helpdesk__*`. Globs; `*` matches any run of characters
                 * @default []
                 */
                tools: string[];
            };
            /**
             * @description Tool glob to rule; of several that match the strictest counts
             * @default {}
             */
            approvals: {
                [key: string]: "allow" | "ask" | "deny";
            };
            /**
             * @description Tools that user-facing agents may use; null: the built-in list
             * @default null
             */
            user_facing_tools: string[] | null;
            /**
             * @description Whether warnings about files refuse a request that does not say so itself
             * @default false
             */
            strict: boolean;
            /**
             * @description When layers define the same name: the nearer one counts, or requests are refused
             * @default shadow
             * @enum {string}
             */
            on_duplicate: "shadow" | "reject";
            /**
             * @description When none of the tools that a run names is available: refuse it or let it run
             * @default refuse
             * @enum {string}
             */
            on_missing_tools: "refuse" | "allow";
            /**
             * @description A role that has no layer: use the base layer with a warning, or refuse
             * @default base
             * @enum {string}
             */
            on_invalid_role: "base" | "refuse";
            /**
             * @description Folder of the base layer with older skills by role: `<folder>/<role>/<skill>/`
             * @default skills
             */
            skills_role_dir: string;
            /**
             * @description Alias to `provider/model`, looked up before the deployment's own
             * @default {}
             */
            model_aliases: {
                [key: string]: string;
            };
            /**
             * @description `provider/model` to its price in US dollars; without it no cost
             * @default {}
             */
            prices: {
                [key: string]: {
                    /** @description US dollars for a million input tokens */
                    input_per_million: number;
                    /** @description US dollars for a million output tokens */
                    output_per_million: number;
                    /** @description Input that the provider had in its cache; absent: like any input */
                    cache_read_per_million?: number;
                    /** @description Input that the provider took into its cache; absent: like any input */
                    cache_write_per_million?: number;
                };
            };
            /**
             * @description The memory of agents whose files do not say
             * @default {
             *       "scope": null,
             *       "start": true
             *     }
             */
            memory: {
                /**
                 * @description Whose memory agents have whose files say nothing of it; null: they have none
                 * @default null
                 */
                scope: ("shared" | "agent" | "role" | "session") | null;
                /**
                 * @description Whether runs with memory begin with its MEMORY.md and the notes of two days
                 * @default true
                 */
                start: boolean;
            };
            /**
             * @description What `web_fetch` and `web_search` may reach
             * @default {
             *       "allowed_domains": [],
             *       "denied_domains": [],
             *       "robots": "respect"
             *     }
             */
            web: {
                /**
                 * @description Only these, each with all below it; empty: all that are not denied
                 * @default []
                 */
                allowed_domains: string[];
                /**
                 * @description Never these, each with all below it
                 * @default []
                 */
                denied_domains: string[];
                /**
                 * @description Whether pages are left alone that their `robots.txt` does not want read
                 * @default respect
                 * @enum {string}
                 */
                robots: "respect" | "ignore";
            };
        };
        /** @description The layer to migrate */
        MigrateInput: {
            /** @description The layer, by its prefix: `base/`, `roles/<role>/`, `repos/<name>/` */
            layer?: string | null;
            /** @description False: do it; else only say what would be done */
            dry_run?: boolean | null;
        };
        /** @description The steps of a migration, done or planned */
        Migration: {
            /** @description The layer, by its prefix: `base/`, `roles/<role>/`, `repos/<name>/` */
            layer: string;
            /** @description True: nothing was changed */
            dry_run: boolean;
            /** @description In their order; empty: there is nothing of an older layout */
            steps: {
                /**
                 * @description `skip`: the file is left alone, `reason` says why
                 * @enum {string}
                 */
                action: "write" | "move" | "delete" | "skip";
                /** @description The key of the file that is written, deleted or skipped */
                path: string;
                /** @description The key of the file that it is made of */
                from?: string;
                /** @description The text of a file that is made anew, with values hidden */
                content?: string;
                /** @description Why it is done or left */
                reason?: string;
                /** @description Findings about the file as it is written; empty: none */
                diagnostics?: components["schemas"]["Diagnostic"][];
            }[];
        };
        /** @description An item of a response, as OpenAI has it */
        ResponseItem: {
            /** @description Names the item */
            id: string;
            /** @description `message`, `function_call`: you perform it, `mcp_call`: the agent has. In input also `function_call_output` */
            type: string;
        } & {
            [key: string]: unknown;
        };
        /** @description A stretch of a run in the words of OpenAI. It holds more members, as OpenAI does */
        Response: {
            /** @description `resp_` and the rest of the id of the run; `_1`, `_2` … where the run has gone on */
            id: string;
            /**
             * @description Always `response`: which kind of object this is
             * @constant
             */
            object: "response";
            /** @description Seconds since 1970 */
            created_at: number;
            /** @description Seconds since 1970; null: it has not ended */
            completed_at: number | null;
            /**
             * @description `completed`: also when it waits for your functions or your answer
             * @enum {string}
             */
            status: "queued" | "in_progress" | "completed" | "incomplete" | "failed" | "cancelled";
            /** @description As asked, or `agent/<name>` */
            model: string;
            /** @description What came of it, in order */
            output: components["schemas"]["ResponseItem"][];
            /** @description Why it failed; null: it did not */
            error: ({
                /** @description Stable; decide by this */
                code: string;
                /** @description For people */
                message: string;
            } & {
                [key: string]: unknown;
            }) | null;
            /** @description Why it is incomplete; null: it is not */
            incomplete_details: ({
                /** @description `max_output_tokens`, `content_filter`; ours alone: `max_steps`, `budget` */
                reason: string;
            } & {
                [key: string]: unknown;
            }) | null;
            /** @description As asked; on later reads only where the same run went on; null: none is known */
            previous_response_id: string | null;
            /** @description Name it as `conversation` to go on */
            conversation: {
                /** @description The session */
                id: string;
            } & {
                [key: string]: unknown;
            };
            /** @description As asked; null: on later reads nobody knows */
            background: boolean | null;
            /** @description The caller's own pairs for this run; empty: none */
            metadata: {
                [key: string]: string;
            };
            /** @description Of all calls of models in it; null: it has not ended */
            usage: ({
                /** @description Tokens in */
                input_tokens: number;
                /** @description Tokens out */
                output_tokens: number;
                /** @description Both */
                total_tokens: number;
            } & {
                [key: string]: unknown;
            }) | null;
            /** @description The run behind it, as it stood at the end of this response */
            strata: {
                /** @description The run, for `GET /v1/runs/{id}` */
                run_id: string;
                /** @description Its session */
                session_id: string;
                /** @description The status of the run */
                status: string;
                /** @description What the run waits for; null: it does not */
                waiting_on: string | null;
                /** @description Why it ended; null: it has not */
                stop_reason: string | null;
                /** @description The model of the run; null: before its start */
                model: string | null;
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        /** @description An event of a response, as OpenAI has it */
        ResponseEvent: {
            /** @description The type of the event, e.g. `response.output_text.delta` */
            type: string;
            /** @description Rises; it follows from the log of the run, so it is the same in every stream */
            sequence_number: number;
        } & {
            [key: string]: unknown;
        };
        /** @description The layers in which `.agents/schedules/<file>.md` is found */
        ScheduleSourceInput: {
            /** @description The role layer `roles/<role>/`, also of its runs */
            role?: string | null;
            /** @description The repository layer, also of its runs */
            repo_dir?: string | null;
            /** @description Replaces `base/`, also for its runs */
            base_dir?: string | null;
            /** @description The name of the file without `.md`. Default: the name of the schedule */
            file?: string | null;
            /** @description True: it begins paused. Default: false */
            paused?: boolean | null;
        };
        /** @description A schedule as it is to be */
        SchedulePut: {
            /** @description Five fields, or six with seconds (one number) first; `@daily` and the like. Exactly one of `cron`, `at` and `every` is given */
            cron?: string | null;
            /** @description With `cron`: an IANA zone. Default: UTC. When clocks change, a fixed time that is skipped is due right after the gap, one that comes twice is due once; an expression with `*` or `/` in its times follows the clock on the wall */
            timezone?: string | null;
            /** @description Once, at this time (RFC 3339; without an offset: UTC) */
            at?: string | null;
            /** @description So many seconds, or `90s`, `15m`, `2h`, `1d`, counted from its creation; at least 60 s */
            every?: number | string | null;
            /** @description For people */
            description?: string | null;
            /** @description When a slot is due and a run of the schedule has not ended: `skip` the slot, `queue` it, `cancel_previous` (the next one starts when that has ended), or `allow` both. Default: `skip` */
            overlap?: ("skip" | "queue" | "cancel_previous" | "allow") | null;
            /** @description Slots that nobody was there for within 300 s: none, the `latest` one, or `all` of the window. Default: `latest` */
            catch_up?: ("none" | "latest" | "all") | null;
            /** @description How late a missed slot may still be. Default: a day */
            catch_up_window_seconds?: number | null;
            /** @description Each slot fires up to so much later, by its own share. Default: 0 */
            jitter_seconds?: number | null;
            /** @description No slot is due after this time (RFC 3339) */
            ends_at?: string | null;
            /** @description The input of its runs, with places: `{{slot}}`, `{{slot.local}}`, `{{slot.date}}`, `{{slot.unix}}`, `{{schedule.name}}`, `{{timezone}}` */
            input: string;
            /** @description The id of the agent that its runs are. Default: `general` */
            agent?: string | null;
            /** @description A short name for people and filters */
            label?: string | null;
            /** @description The role layer `roles/<role>/` of its runs */
            role?: string | null;
            /** @description The repository layer of its runs: a key prefix */
            repo_dir?: string | null;
            /** @description Replaces `base/` */
            base_dir?: string | null;
            /** @description The session whose transcript its runs continue */
            session_id?: string | null;
            /** @description An alias or `provider/model`. Default: the agent's */
            model?: string | null;
            /** @description Settings of its calls to models */
            model_settings?: components["schemas"]["ModelSettingsInput"] | null;
            /** @description Intersects what the agent has, and what every run below it has */
            tools?: string[] | null;
            /** @description For the run and every run below it; globs are allowed */
            disallowed_tools?: string[] | null;
            /** @description Bounds of each run; what is omitted has its default */
            limits?: {
                /** @description Answers of the model; after them one last call without tools. Default: what the agent says, else 50 */
                max_steps?: number | null;
                /** @description Running time in seconds, without waits for people. Default: what the agent says, else 3600 */
                timeout_seconds?: number | null;
                /** @description Tokens in and out, of the run with everything below it; omitted: unlimited */
                max_tokens?: number | null;
                /** @description Calls of models, of the run with everything below it; omitted: unlimited */
                max_model_calls?: number | null;
                /** @description US dollars by the list of prices, of the run with everything below it; omitted: unlimited. The call that exceeds it is the last; a model without a price is refused (`price_unknown`) */
                max_cost_usd?: number | null;
                /** @description Subagents that the run may start in all; 0: none. Default: 1000 */
                max_children?: number | null;
            } | null;
            /** @description Approval settings for its runs and everything below */
            approvals?: components["schemas"]["ApprovalSettingsInput"] | null;
            /** @description Webhook for each of its runs; a generated secret is shown once, and is the same for all */
            webhook?: {
                /** @description Target of the POST requests; addresses that are not public are refused */
                url: string;
                /** @description `whsec_` and 24 to 64 bytes in base 64; omitted: generated and shown once */
                secret?: string | null;
                /** @description Form of the bodies. `standard`: type, timestamp and data. `cloudevents`: a CloudEvent 1.0 in structured mode. Both are signed by Standard Webhooks. Default: `standard` */
                format?: ("standard" | "cloudevents") | null;
                /** @description Event types to send; default: the four ends of a run */
                events?: ("run.completed" | "run.failed" | "run.cancelled" | "run.timed_out" | "approval.requested" | "question.asked" | "question.answered" | "todos.updated" | "subagent.spawned" | "subagent.announced" | "subagent.failed")[] | null;
            } | null;
            /** @description Your own pairs for its runs, which get `schedule` and `slot` besides */
            metadata?: {
                [key: string]: string;
            } | null;
            /** @description True: it begins paused. Default: false */
            paused?: boolean | null;
        };
        /** @description A schedule to be created */
        ScheduleInput: {
            /** @description Omitted: one is made */
            name?: string | null;
            /** @description Five fields, or six with seconds (one number) first; `@daily` and the like. Exactly one of `cron`, `at` and `every` is given */
            cron?: string | null;
            /** @description With `cron`: an IANA zone. Default: UTC. When clocks change, a fixed time that is skipped is due right after the gap, one that comes twice is due once; an expression with `*` or `/` in its times follows the clock on the wall */
            timezone?: string | null;
            /** @description Once, at this time (RFC 3339; without an offset: UTC) */
            at?: string | null;
            /** @description So many seconds, or `90s`, `15m`, `2h`, `1d`, counted from its creation; at least 60 s */
            every?: number | string | null;
            /** @description For people */
            description?: string | null;
            /** @description When a slot is due and a run of the schedule has not ended: `skip` the slot, `queue` it, `cancel_previous` (the next one starts when that has ended), or `allow` both. Default: `skip` */
            overlap?: ("skip" | "queue" | "cancel_previous" | "allow") | null;
            /** @description Slots that nobody was there for within 300 s: none, the `latest` one, or `all` of the window. Default: `latest` */
            catch_up?: ("none" | "latest" | "all") | null;
            /** @description How late a missed slot may still be. Default: a day */
            catch_up_window_seconds?: number | null;
            /** @description Each slot fires up to so much later, by its own share. Default: 0 */
            jitter_seconds?: number | null;
            /** @description No slot is due after this time (RFC 3339) */
            ends_at?: string | null;
            /** @description The input of its runs, with places: `{{slot}}`, `{{slot.local}}`, `{{slot.date}}`, `{{slot.unix}}`, `{{schedule.name}}`, `{{timezone}}` */
            input: string;
            /** @description The id of the agent that its runs are. Default: `general` */
            agent?: string | null;
            /** @description A short name for people and filters */
            label?: string | null;
            /** @description The role layer `roles/<role>/` of its runs */
            role?: string | null;
            /** @description The repository layer of its runs: a key prefix */
            repo_dir?: string | null;
            /** @description Replaces `base/` */
            base_dir?: string | null;
            /** @description The session whose transcript its runs continue */
            session_id?: string | null;
            /** @description An alias or `provider/model`. Default: the agent's */
            model?: string | null;
            /** @description Settings of its calls to models */
            model_settings?: components["schemas"]["ModelSettingsInput"] | null;
            /** @description Intersects what the agent has, and what every run below it has */
            tools?: string[] | null;
            /** @description For the run and every run below it; globs are allowed */
            disallowed_tools?: string[] | null;
            /** @description Bounds of each run; what is omitted has its default */
            limits?: {
                /** @description Answers of the model; after them one last call without tools. Default: what the agent says, else 50 */
                max_steps?: number | null;
                /** @description Running time in seconds, without waits for people. Default: what the agent says, else 3600 */
                timeout_seconds?: number | null;
                /** @description Tokens in and out, of the run with everything below it; omitted: unlimited */
                max_tokens?: number | null;
                /** @description Calls of models, of the run with everything below it; omitted: unlimited */
                max_model_calls?: number | null;
                /** @description US dollars by the list of prices, of the run with everything below it; omitted: unlimited. The call that exceeds it is the last; a model without a price is refused (`price_unknown`) */
                max_cost_usd?: number | null;
                /** @description Subagents that the run may start in all; 0: none. Default: 1000 */
                max_children?: number | null;
            } | null;
            /** @description Approval settings for its runs and everything below */
            approvals?: components["schemas"]["ApprovalSettingsInput"] | null;
            /** @description Webhook for each of its runs; a generated secret is shown once, and is the same for all */
            webhook?: {
                /** @description Target of the POST requests; addresses that are not public are refused */
                url: string;
                /** @description `whsec_` and 24 to 64 bytes in base 64; omitted: generated and shown once */
                secret?: string | null;
                /** @description Form of the bodies. `standard`: type, timestamp and data. `cloudevents`: a CloudEvent 1.0 in structured mode. Both are signed by Standard Webhooks. Default: `standard` */
                format?: ("standard" | "cloudevents") | null;
                /** @description Event types to send; default: the four ends of a run */
                events?: ("run.completed" | "run.failed" | "run.cancelled" | "run.timed_out" | "approval.requested" | "question.asked" | "question.answered" | "todos.updated" | "subagent.spawned" | "subagent.announced" | "subagent.failed")[] | null;
            } | null;
            /** @description Your own pairs for its runs, which get `schedule` and `slot` besides */
            metadata?: {
                [key: string]: string;
            } | null;
            /** @description True: it begins paused. Default: false */
            paused?: boolean | null;
        };
        /** @description Omitted members stay as they are; null removes one. Counts from the next slot on */
        SchedulePatch: {
            /** @description Five fields, or six with seconds (one number) first; `@daily` and the like. Exactly one of `cron`, `at` and `every` is given */
            cron?: string;
            /** @description With `cron`: an IANA zone. Default: UTC. When clocks change, a fixed time that is skipped is due right after the gap, one that comes twice is due once; an expression with `*` or `/` in its times follows the clock on the wall */
            timezone?: string;
            /** @description Once, at this time (RFC 3339; without an offset: UTC) */
            at?: string;
            /** @description So many seconds, or `90s`, `15m`, `2h`, `1d`, counted from its creation; at least 60 s */
            every?: number | string;
            /** @description The input of its runs, with places: `{{slot}}`, `{{slot.local}}`, `{{slot.date}}`, `{{slot.unix}}`, `{{schedule.name}}`, `{{timezone}}` */
            input?: string;
            /** @description The id of the agent that its runs are. Default: `general` */
            agent?: string;
            /** @description For people; null takes it away */
            description?: string | null;
            /** @description When a slot is due and a run of the schedule has not ended: `skip` the slot, `queue` it, `cancel_previous` (the next one starts when that has ended), or `allow` both. Default: `skip`; null takes it away */
            overlap?: ("skip" | "queue" | "cancel_previous" | "allow") | null;
            /** @description Slots that nobody was there for within 300 s: none, the `latest` one, or `all` of the window. Default: `latest`; null takes it away */
            catch_up?: ("none" | "latest" | "all") | null;
            /** @description How late a missed slot may still be. Default: a day; null takes it away */
            catch_up_window_seconds?: number | null;
            /** @description Each slot fires up to so much later, by its own share. Default: 0; null takes it away */
            jitter_seconds?: number | null;
            /** @description No slot is due after this time (RFC 3339); null takes it away */
            ends_at?: string | null;
            /** @description A short name for people and filters; null takes it away */
            label?: string | null;
            /** @description The role layer `roles/<role>/` of its runs; null takes it away */
            role?: string | null;
            /** @description The repository layer of its runs: a key prefix; null takes it away */
            repo_dir?: string | null;
            /** @description Replaces `base/`; null takes it away */
            base_dir?: string | null;
            /** @description The session whose transcript its runs continue; null takes it away */
            session_id?: string | null;
            /** @description An alias or `provider/model`. Default: the agent's; null takes it away */
            model?: string | null;
            /** @description Settings of its calls to models; null takes it away */
            model_settings?: components["schemas"]["ModelSettingsInput"] | null;
            /** @description Intersects what the agent has, and what every run below it has; null takes it away */
            tools?: string[] | null;
            /** @description For the run and every run below it; globs are allowed; null takes it away */
            disallowed_tools?: string[] | null;
            /** @description Bounds of each run; what is omitted has its default; null takes it away */
            limits?: {
                /** @description Answers of the model; after them one last call without tools. Default: what the agent says, else 50 */
                max_steps?: number;
                /** @description Running time in seconds, without waits for people. Default: what the agent says, else 3600 */
                timeout_seconds?: number;
                /** @description Tokens in and out, of the run with everything below it; omitted: unlimited */
                max_tokens?: number;
                /** @description Calls of models, of the run with everything below it; omitted: unlimited */
                max_model_calls?: number;
                /** @description US dollars by the list of prices, of the run with everything below it; omitted: unlimited. The call that exceeds it is the last; a model without a price is refused (`price_unknown`) */
                max_cost_usd?: number;
                /** @description Subagents that the run may start in all; 0: none. Default: 1000 */
                max_children?: number;
            } | null;
            /** @description Approval settings for its runs and everything below; null takes it away */
            approvals?: components["schemas"]["ApprovalSettingsInput"] | null;
            /** @description Webhook for each of its runs; a generated secret is shown once, and is the same for all; null takes it away */
            webhook?: {
                /** @description Target of the POST requests; addresses that are not public are refused */
                url: string;
                /** @description `whsec_` and 24 to 64 bytes in base 64; omitted: generated and shown once */
                secret?: string;
                /**
                 * @description Form of the bodies. `standard`: type, timestamp and data. `cloudevents`: a CloudEvent 1.0 in structured mode. Both are signed by Standard Webhooks. Default: `standard`
                 * @enum {string}
                 */
                format?: "standard" | "cloudevents";
                /** @description Event types to send; default: the four ends of a run */
                events?: ("run.completed" | "run.failed" | "run.cancelled" | "run.timed_out" | "approval.requested" | "question.asked" | "question.answered" | "todos.updated" | "subagent.spawned" | "subagent.announced" | "subagent.failed")[];
            } | null;
            /** @description Your own pairs for its runs, which get `schedule` and `slot` besides; null takes it away */
            metadata?: {
                [key: string]: string;
            } | null;
        };
        /** @description The body may be left out */
        SchedulePause: {
            /** @description Why, for people */
            reason?: string | null;
        };
        /** @description What every answer about a schedule says of it */
        ScheduleBase: {
            /** @description The schedule (`sch_` and 26 characters) */
            id: string;
            /**
             * @description Always `schedule`: which kind of object this is
             * @constant
             */
            object: "schedule";
            /** @description One name is one schedule; runs carry it in their metadata */
            name: string;
            /**
             * @description `wakeup`: a model made it, for its own session
             * @enum {string}
             */
            kind: "schedule" | "wakeup";
            /**
             * @description `ended`: nothing will be due any more
             * @enum {string}
             */
            status: "active" | "paused" | "ended";
            /** @description Null: it is not paused */
            pause: {
                /**
                 * @description Why it is paused: by people, after ten failures in a row, or because the file that defines it is gone or wrong (then it goes on by itself when the file is right)
                 * @enum {string}
                 */
                reason: "by_hand" | "failing" | "source";
                /** @description Why; null: nobody said */
                detail: string | null;
                /** @description When it was paused (RFC 3339, UTC) */
                at: string;
            } | null;
            /** @description In six fields, seconds first; null: it has none */
            cron: string | null;
            /** @description Of `cron`, as IANA spells it; null: it has none */
            timezone: string | null;
            /** @description When it is due once (RFC 3339, UTC); null: it is due more than once */
            at: string | null;
            /** @description Between two slots; null: it has no such rhythm */
            every_seconds: number | null;
            /** @description The file that defines it; null: requests do */
            source: {
                /** @description The name of the file without `.md` */
                file: string;
                /** @description The role layer; null: none */
                role: string | null;
                /** @description The repository layer; null: none */
                repo_dir: string | null;
                /** @description In place of `base/`; null: that */
                base_dir: string | null;
                /** @description Where the file lay when it was read last, as `/v1/files/{path}` takes it */
                key: string;
                /** @description SHA-256 of the file when it was read last (64 hex digits) */
                file_digest: string;
                /** @description When it was read last (RFC 3339, UTC) */
                read_at: string;
            } | null;
            /** @description For people; null: none */
            description: string | null;
            /**
             * @description When a slot meets a run that has not ended
             * @enum {string}
             */
            overlap: "skip" | "queue" | "cancel_previous" | "allow";
            /**
             * @description Which slots count that nobody was there for
             * @enum {string}
             */
            catch_up: "none" | "latest" | "all";
            /** @description How late a missed slot may still be */
            catch_up_window_seconds: number;
            /** @description Each slot fires up to so much later */
            jitter_seconds: number;
            /** @description No slot is due after it (RFC 3339, UTC); null: it has no end */
            ends_at: string | null;
            /** @description The run that a slot starts */
            run: {
                /** @description The agent that its runs are, by its id in the layers */
                agent: string;
                /** @description A short name for people and filters */
                label?: string;
                /** @description The role layer `roles/<role>/` of its runs */
                role?: string;
                /** @description The repository layer of its runs: a key prefix */
                repo_dir?: string;
                /** @description Replaces `base/` */
                base_dir?: string;
                /** @description The session whose transcript its runs continue */
                session_id?: string;
                /** @description An alias or `provider/model`. Default: the agent's */
                model?: string;
                /** @description Settings of its calls to models */
                model_settings?: components["schemas"]["ModelSettings"];
                /** @description Intersects what the agent has, and what every run below it has */
                tools?: string[];
                /** @description For the run and every run below it; globs are allowed */
                disallowed_tools?: string[];
                /** @description Bounds of each run; what is omitted has its default */
                limits?: {
                    /** @description Answers of the model; after them one last call without tools. Default: what the agent says, else 50 */
                    max_steps?: number;
                    /** @description Running time in seconds, without waits for people. Default: what the agent says, else 3600 */
                    timeout_seconds?: number;
                    /** @description Tokens in and out, of the run with everything below it; omitted: unlimited */
                    max_tokens?: number;
                    /** @description Calls of models, of the run with everything below it; omitted: unlimited */
                    max_model_calls?: number;
                    /** @description US dollars by the list of prices, of the run with everything below it; omitted: unlimited. The call that exceeds it is the last; a model without a price is refused (`price_unknown`) */
                    max_cost_usd?: number;
                    /** @description Subagents that the run may start in all; 0: none. Default: 1000 */
                    max_children?: number;
                };
                /** @description Approval settings for its runs and everything below */
                approvals?: components["schemas"]["ApprovalSettings"];
                /** @description Webhook of its runs */
                webhook?: {
                    /** @description Target of the POST requests; addresses that are not public are refused */
                    url: string;
                    /**
                     * @description Form of the bodies. `standard`: type, timestamp and data. `cloudevents`: a CloudEvent 1.0 in structured mode. Both are signed by Standard Webhooks. Default: `standard`
                     * @enum {string}
                     */
                    format?: "standard" | "cloudevents";
                    /** @description Event types to send; default: the four ends of a run */
                    events?: ("run.completed" | "run.failed" | "run.cancelled" | "run.timed_out" | "approval.requested" | "question.asked" | "question.answered" | "todos.updated" | "subagent.spawned" | "subagent.announced" | "subagent.failed")[];
                };
                /** @description Your own pairs for its runs, which get `schedule` and `slot` besides */
                metadata?: {
                    [key: string]: string;
                };
                /** @description The template of their input */
                input: string;
            };
            /** @description When it fires next, jitter included (RFC 3339, UTC); null: it will not */
            next_at: string | null;
            /** @description The next slots, without jitter (RFC 3339, UTC) */
            upcoming: string[];
            /** @description Fires that have not ended */
            running: {
                /** @description Its run (`run_` and 26 characters) */
                run_id: string;
                /** @description The nominal time (RFC 3339, UTC) */
                slot: string;
                /**
                 * @description `due`: about to be created. `waiting`: an earlier one has to end first
                 * @enum {string}
                 */
                status: "due" | "running" | "waiting";
            }[];
            /** @description Runs in a row that failed; 10 pause it */
            failures: number;
            /** @description The last thing that became of a slot; null: nothing yet */
            last: {
                /** @description The nominal time (RFC 3339, UTC) */
                slot: string;
                /** @description Its run (`run_` and 26 characters); null: there was none */
                run_id: string | null;
                /**
                 * @description `started`, `waiting` for an earlier run, `skipped` because of one, `missed` because nobody was there, or how its run ended
                 * @enum {string}
                 */
                outcome: "started" | "waiting" | "skipped" | "missed" | "completed" | "failed" | "cancelled" | "timed_out";
            } | null;
            /** @description The run whose model made it (`run_` and 26 characters); null: no model did */
            created_by_run_id: string | null;
            /** @description When it was created (RFC 3339, UTC) */
            created_at: string;
        };
        /** @description When which run starts */
        Schedule: components["schemas"]["ScheduleBase"];
        /** @description A schedule as a write is answered */
        ScheduleWritten: components["schemas"]["ScheduleBase"] & {
            /** @description Only when it was made, only in this answer */
            webhook_secret?: string;
        };
        /** @description A fire by hand */
        ScheduleRun: {
            /** @description The run of this fire (`run_` and 26 characters) */
            run_id: string;
            /**
             * @description `waiting`: an earlier one has to end first
             * @enum {string}
             */
            status: "started" | "waiting";
        };
        /** @description What became of a slot */
        ScheduleFire: {
            /** @description The nominal time; of a fire by hand: when it was asked for (RFC 3339, UTC) */
            slot: string;
            /** @description Somebody has asked for it */
            manual: boolean;
            /** @description Its run (`run_` and 26 characters); null: there is none */
            run_id: string | null;
            /**
             * @description `started`, `waiting` for an earlier run, `skipped` because of one, `missed` because nobody was there, or how its run ended
             * @enum {string}
             */
            outcome: "started" | "waiting" | "skipped" | "missed" | "completed" | "failed" | "cancelled" | "timed_out";
            /** @description When that was decided, or its run ended (RFC 3339, UTC) */
            at: string;
            /** @description Why there was no run, or why it failed; null: nothing to say */
            reason: string | null;
            /** @description With `missed`: so many slots, this the newest of them; else 1 */
            count: number;
            /** @description With `missed`: and older ones that nobody has counted */
            more: boolean;
        };
        /** @description A session to be created; every member may be left out */
        SessionInput: {
            /** @description The agent of its first turn, unless that names another one */
            agent?: string | null;
            /** @description As people call it */
            title?: string | null;
            /** @description It is deleted when nothing has happened in it for so long; left out: it is kept until somebody deletes it */
            retention_seconds?: number | null;
            /** @description Your own pairs, shown in lists and webhooks: at most 16, keys of up to 64 characters, values of up to 512 */
            metadata?: {
                [key: string]: string;
            } | null;
        };
        /** @description A change of a session; every member may be left out, and null takes it away */
        SessionChange: {
            /** @description As people call it; null: nobody does */
            title?: string | null;
            /** @description The agent of the next turn, unless that names another one */
            agent?: string | null;
            /** @description Whether it is put away: no run comes in, and lists leave it out */
            archived?: boolean;
            /** @description It is deleted when nothing has happened in it for so long; null: it is kept */
            retention_seconds?: number | null;
            /** @description Your own pairs, shown in lists and webhooks: at most 16, keys of up to 64 characters, values of up to 512 */
            metadata?: {
                [key: string]: string;
            };
        };
        /** @description Where a new session goes on from; every member may be left out */
        SessionFork: {
            /** @description The last message that it keeps, by its `position`; left out: all of them */
            position?: string | null;
            /** @description As people call it */
            title?: string | null;
            /** @description Your own pairs, shown in lists and webhooks: at most 16, keys of up to 64 characters, values of up to 512 */
            metadata?: {
                [key: string]: string;
            } | null;
        };
        /** @description Runs that share a transcript */
        Session: {
            /** @description The session (`ses_` and 26 characters) */
            id: string;
            /**
             * @description Always `session`: which kind of object this is
             * @constant
             */
            object: "session";
            /**
             * @description As the run that began it. `main`: asked for by a request, or the closing run of a fan-out. `subagent`: started by a run or a fan-out. `hook`: started by a webhook that came in. `schedule`: started by a schedule
             * @enum {string}
             */
            kind: "main" | "subagent" | "schedule" | "hook";
            /** @description The agent of the next turn that names none; null: `general` */
            agent: string | null;
            /** @description As people call it; null: nobody has named it */
            title: string | null;
            /** @description How its first input begins; null: there was none */
            opening: string | null;
            /** @description Whether it is put away */
            archived: boolean;
            /** @description How long it is kept when nothing happens in it; null: until somebody deletes it */
            retention_seconds: number | null;
            /** @description Where it goes on from; null: it began by itself */
            forked_from: {
                /** @description The session (`ses_` and 26 characters) */
                session_id: string;
                /** @description Its last message that was kept */
                position: string;
            } | null;
            /** @description The run that has the turn (`run_` and 26 characters); null: no run has it */
            current_run_id: string | null;
            /** @description Runs that wait for it */
            waiting: number;
            /** @description The session of the run that started it (`ses_` and 26 characters); null: no run did */
            parent_session_id: string | null;
            /** @description The run that started it (`run_` and 26 characters); null: no run did */
            created_by_run_id: string | null;
            /** @description When it was created (RFC 3339, UTC) */
            created_at: string;
            /** @description When a turn last came or ended, or it was changed (RFC 3339, UTC) */
            active_at: string;
            /** @description The caller's own pairs for this session; empty: none */
            metadata: {
                [key: string]: string;
            };
            /** @description Of its newest 1,000 runs that are kept, with their subagents; absent in lists */
            usage?: components["schemas"]["Usage"];
            /** @description Runs that it has had, those that wait included; absent in lists */
            runs?: number;
            /** @description US dollars of these; null: no price is known; absent in lists */
            cost?: number | null;
        };
        /** @description A built-in tool */
        Tool: {
            /** @description Its name, as models see it */
            name: string;
            /** @description Purpose of the tool, as shown to models */
            description: string;
            /**
             * @description `once`: never repeated. `repeatable`: may be repeated after a crash. `write`: a write of a file that is done once. `spawn`: starts a subagent. `question`: waits for an answer
             * @enum {string}
             */
            mode: "once" | "repeatable" | "write" | "spawn" | "question";
            /** @description JSON Schema of its arguments, always of an object */
            input_schema: {
                [key: string]: unknown;
            };
        };
        /** @description One bound of this deployment */
        Limit: {
            /** @description The bound; its name says the unit, else it counts */
            value: number;
            /** @description Why it is as it is */
            reason: string;
        };
        /** @description Tokens and dollars by the day, of runs that are still kept */
        UsageReport: {
            /**
             * @description Always `usage`: which kind of object this is
             * @constant
             */
            object: "usage";
            /** @description The first day that was asked for */
            from: string;
            /** @description The day after the last one */
            to: string;
            /** @description The newest day first; days without runs and fan-outs are left out */
            data: {
                /** @description The day (UTC) on which they were created, whenever they ended */
                date: string;
                /** @description Runs without a parent that were created then */
                runs: number;
                /** @description Fan-outs that were created then */
                fanouts: number;
                /** @description Of these, those that used only models without a price: no cost counts them */
                unpriced: number;
                /** @description With all that these runs and fan-outs have started, as far as it is known */
                usage: components["schemas"]["Usage"];
                /** @description US dollars, by the prices of the policy; null: none known */
                cost: number | null;
                /**
                 * @description This day has more than the 10000 that are counted at once
                 * @constant
                 */
                partial?: true;
            }[];
            /** @description Of these days */
            total: {
                /** @description Runs without a parent that were created then */
                runs: number;
                /** @description Fan-outs that were created then */
                fanouts: number;
                /** @description Of these, those that used only models without a price: no cost counts them */
                unpriced: number;
                /** @description With all that these runs and fan-outs have started, as far as it is known */
                usage: components["schemas"]["Usage"];
                /** @description US dollars, by the prices of the policy; null: none known */
                cost: number | null;
            };
            /** @description Days before this one are not in the answer, because there was too much to count: ask again with it as `to`; null: all is counted */
            next_to: string | null;
        };
        /** @description A page of a list of `Run` */
        RunList: {
            /** @description The items of this page. In the order of the list */
            data: components["schemas"]["Run"][];
            /** @description Ask for the next page with it as `cursor`; null: there is none */
            next_cursor: string | null;
            /** @description Whether another page follows */
            has_more: boolean;
        };
        /** @description A page of a list of `Event` */
        EventList: {
            /** @description The items of this page. In the order of the list */
            data: components["schemas"]["Event"][];
            /** @description Ask for the next page with it as `cursor`; null: there is none */
            next_cursor: string | null;
            /** @description Whether another page follows */
            has_more: boolean;
        };
        /** @description A page of a list of `FanoutEvent` */
        FanoutEventList: {
            /** @description The items of this page. In the order of the list */
            data: components["schemas"]["FanoutEvent"][];
            /** @description Ask for the next page with it as `cursor`; null: there is none */
            next_cursor: string | null;
            /** @description Whether another page follows */
            has_more: boolean;
        };
        /** @description A page of a list of `TranscriptMessage` */
        TranscriptMessageList: {
            /** @description The items of this page. In the order of the list */
            data: components["schemas"]["TranscriptMessage"][];
            /** @description Ask for the next page with it as `cursor`; null: there is none */
            next_cursor: string | null;
            /** @description Whether another page follows */
            has_more: boolean;
        };
        /** @description A page of a list of `Fanout` */
        FanoutList: {
            /** @description The items of this page. In the order of the list */
            data: components["schemas"]["Fanout"][];
            /** @description Ask for the next page with it as `cursor`; null: there is none */
            next_cursor: string | null;
            /** @description Whether another page follows */
            has_more: boolean;
        };
        /** @description A page of a list of `TaskResult` */
        TaskResultList: {
            /** @description The items of this page. In the order of the list */
            data: components["schemas"]["TaskResult"][];
            /** @description Ask for the next page with it as `cursor`; null: there is none */
            next_cursor: string | null;
            /** @description Whether another page follows */
            has_more: boolean;
        };
        /** @description A page of a list of `LayerSkill` */
        LayerSkillList: {
            /** @description The items of this page. In the order of the list */
            data: components["schemas"]["LayerSkill"][];
            /** @description Ask for the next page with it as `cursor`; null: there is none */
            next_cursor: string | null;
            /** @description Whether another page follows */
            has_more: boolean;
        };
        /** @description A page of a list of `Version` */
        VersionList: {
            /** @description The items of this page. In the order of the list */
            data: components["schemas"]["Version"][];
            /** @description Ask for the next page with it as `cursor`; null: there is none */
            next_cursor: string | null;
            /** @description Whether another page follows */
            has_more: boolean;
        };
        /** @description A page of a list of `LayerAgent` */
        LayerAgentList: {
            /** @description The items of this page. In the order of the list */
            data: components["schemas"]["LayerAgent"][];
            /** @description Ask for the next page with it as `cursor`; null: there is none */
            next_cursor: string | null;
            /** @description Whether another page follows */
            has_more: boolean;
        };
        /** @description A page of a list of `LayerServer` */
        LayerServerList: {
            /** @description The items of this page. In the order of the list */
            data: components["schemas"]["LayerServer"][];
            /** @description Ask for the next page with it as `cursor`; null: there is none */
            next_cursor: string | null;
            /** @description Whether another page follows */
            has_more: boolean;
        };
        /** @description A page of a list of `AuditEntry` */
        AuditEntryList: {
            /** @description The items of this page. In the order of the list */
            data: components["schemas"]["AuditEntry"][];
            /** @description Ask for the next page with it as `cursor`; null: there is none */
            next_cursor: string | null;
            /** @description Whether another page follows */
            has_more: boolean;
        };
        /** @description A page of a list of `File` */
        FileList: {
            /** @description The items of this page. In the order of the list */
            data: components["schemas"]["File"][];
            /** @description Ask for the next page with it as `cursor`; null: there is none */
            next_cursor: string | null;
            /** @description Whether another page follows */
            has_more: boolean;
        };
        /** @description A page of a list of `ApiKey` */
        ApiKeyList: {
            /** @description The items of this page. In the order of the list */
            data: components["schemas"]["ApiKey"][];
            /** @description Ask for the next page with it as `cursor`; null: there is none */
            next_cursor: string | null;
            /** @description Whether another page follows */
            has_more: boolean;
        };
        /** @description A page of a list of `WebhookEndpoint` */
        WebhookEndpointList: {
            /** @description The items of this page. In the order of the list */
            data: components["schemas"]["WebhookEndpoint"][];
            /** @description Ask for the next page with it as `cursor`; null: there is none */
            next_cursor: string | null;
            /** @description Whether another page follows */
            has_more: boolean;
        };
        /** @description A page of a list of `Delivery` */
        DeliveryList: {
            /** @description The items of this page. In the order of the list */
            data: components["schemas"]["Delivery"][];
            /** @description Ask for the next page with it as `cursor`; null: there is none */
            next_cursor: string | null;
            /** @description Whether another page follows */
            has_more: boolean;
        };
        /** @description A page of a list of `Hook` */
        HookList: {
            /** @description The items of this page. In the order of the list */
            data: components["schemas"]["Hook"][];
            /** @description Ask for the next page with it as `cursor`; null: there is none */
            next_cursor: string | null;
            /** @description Whether another page follows */
            has_more: boolean;
        };
        /** @description A page of a list of `Session` */
        SessionList: {
            /** @description The items of this page. In the order of the list */
            data: components["schemas"]["Session"][];
            /** @description Ask for the next page with it as `cursor`; null: there is none */
            next_cursor: string | null;
            /** @description Whether another page follows */
            has_more: boolean;
        };
        /** @description A page of a list of `Schedule` */
        ScheduleList: {
            /** @description The items of this page. In the order of the list */
            data: components["schemas"]["Schedule"][];
            /** @description Ask for the next page with it as `cursor`; null: there is none */
            next_cursor: string | null;
            /** @description Whether another page follows */
            has_more: boolean;
        };
        /** @description A page of a list of `ScheduleFire` */
        ScheduleFireList: {
            /** @description The items of this page. In the order of the list */
            data: components["schemas"]["ScheduleFire"][];
            /** @description Ask for the next page with it as `cursor`; null: there is none */
            next_cursor: string | null;
            /** @description Whether another page follows */
            has_more: boolean;
        };
        /** @description A page of a list of `Approval` */
        ApprovalList: {
            /** @description The items of this page. In the order of the list */
            data: components["schemas"]["Approval"][];
            /** @description Ask for the next page with it as `cursor`; null: there is none */
            next_cursor: string | null;
            /** @description Whether another page follows */
            has_more: boolean;
        };
        /** @description A page of a list of `Tool` */
        ToolList: {
            /** @description The items of this page. In the order of the list */
            data: components["schemas"]["Tool"][];
            /** @description Ask for the next page with it as `cursor`; null: there is none */
            next_cursor: string | null;
            /** @description Whether another page follows */
            has_more: boolean;
        };
    };
    responses: {
        /** @description `unauthorized`: A valid API key is needed. `invalid_signature`: The signature is not valid */
        Unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `not_found`: There is no such thing */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `conflict`: The thing is not as you expect it. `case_conflict`: A key that differs only in case exists. `args_changed`: The arguments are not the ones that were shown. `session_busy`: The session has a run already. `run_ended`: The run has ended */
        Conflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `gone`: The thing is no longer there */
        Gone: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `precondition_failed`: The thing has changed since you read it */
        PreconditionFailed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `hook_loop`: The message has come through too many hooks. `idempotency_mismatch`: The key was used with another body. `invalid_request`: The request is understood and not allowed. `unknown_agent`: There is no such agent. `agent_unavailable`: The agent cannot be used. `skill_unavailable`: The skill cannot be used. `unknown_repo`: There is no such repository prefix. `role_layer_invalid`: The role has no layer of its own. `unknown_mcp_config`: There is no such MCP configuration. `invalid_config`: The configuration is not valid. `tool_unavailable`: None of the tools is available here. `strict`: Strict mode refuses the warnings. `model_not_configured`: No model is configured. `price_unknown`: A budget of dollars needs the price of the model. `blocked_url`: The URL is not allowed */
        UnprocessableContent: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `precondition_required`: A condition is required */
        PreconditionRequired: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `rate_limited`: Too many requests */
        TooManyRequests: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description Any other refusal or failure, by its status:
         *
         *     - 400: `malformed_request`: The request is not well-formed HTTP. `invalid_json`: The body is not valid JSON. `invalid_key`: The key or path is not allowed. `invalid_cursor`: The cursor is not one of ours. `invalid_query`: A query parameter is not allowed. `invalid_header`: A header is not allowed. `event_ahead`: The stream has not come that far
         *     - 401: `unauthorized`: A valid API key is needed. `invalid_signature`: The signature is not valid
         *     - 403: `insufficient_scope`: The API key does not allow this
         *     - 408: `request_timeout`: The request did not arrive in time
         *     - 413: `too_large`: The body is too large
         *     - 415: `unsupported_media_type`: Only application/json in UTF-8 is understood
         *     - 422: `hook_loop`: The message has come through too many hooks. `idempotency_mismatch`: The key was used with another body. `invalid_request`: The request is understood and not allowed. `unknown_agent`: There is no such agent. `agent_unavailable`: The agent cannot be used. `skill_unavailable`: The skill cannot be used. `unknown_repo`: There is no such repository prefix. `role_layer_invalid`: The role has no layer of its own. `unknown_mcp_config`: There is no such MCP configuration. `invalid_config`: The configuration is not valid. `tool_unavailable`: None of the tools is available here. `strict`: Strict mode refuses the warnings. `model_not_configured`: No model is configured. `price_unknown`: A budget of dollars needs the price of the model. `blocked_url`: The URL is not allowed
         *     - 500: `internal`: Something went wrong here
         *     - 503: `unavailable`: Not possible at the moment
         */
        Refusal: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                "Retry-After": components["headers"]["Retry-After"];
                Allow: components["headers"]["Allow"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: {
        /** @description A prefix: base/, roles/<role>/, repos/<name>/ */
        layer: string;
        /** @description The etag that you have read, in quotes: 412 when it has changed since */
        "if-match": string;
        /** @description `*`: only where there is nothing yet, else 412. Never with `If-Match` */
        "if-none-match": string;
        /** @description `next_cursor` of the page before, with the same filters; it lasts for 24 hours */
        cursor: string;
        /** @description Maximum number of items in a page */
        limit: number;
        /** @description The same key is the same request, done once: 8 to 200 of A-Z a-z 0-9 _ : -; kept 24 h, compared by the bytes of the body. The same key on another path is another key */
        "idempotency-key": string;
        /** @description Refuses what would be written, or restored, with warnings */
        strict: string;
        /** @description The id of the last event that you have: goes on behind it, and wins over `after` */
        "last-event-id": string;
        /** @description W3C Trace Context: the run is part of that trace. One that is not valid is passed over; `tracestate` is not carried */
        traceparent: string;
        /** @description Seconds to wait for the end; it answers as things stand when they are over */
        wait: number;
        /** @description `current`, or the id of a version */
        with: string;
        /** @description Only events after this seq; 0, the default: all */
        after: string;
        /** @description Streams only: with the events of all below. Default: of this log alone */
        include: "subagents";
        /** @description `false`: without those that are switched off */
        include_disabled: string;
        /** @description `false`: without the text of the file */
        include_content: string;
        /** @description Only paths that begin so, e.g. `shared/` */
        prefix: string;
        /** @description The file, e.g. `shared/MEMORY.md` */
        path: string;
        /** @description Oldest or newest first */
        order: "asc" | "desc";
        /** @description Equal for every attempt of one delivery: what came before has this id */
        "webhook-id": string;
        /** @description Seconds since 1970 of this attempt */
        "webhook-timestamp": string;
        /** @description `v1,` and the signature over id, timestamp and body; one for each secret */
        "webhook-signature": string;
    };
    requestBodies: never;
    headers: {
        /** @description Names this request in our log; problems hold it too */
        "X-Request-Id": string;
        /** @description Seconds after which the same request may succeed */
        "Retry-After": string;
        /** @description With 401: which scheme is wanted */
        "WWW-Authenticate": string;
        /** @description With 405: the methods that there are */
        Allow: string;
        /** @description Where the thing that was made can be looked at */
        Location: string;
        /** @description For `If-Match` and `If-None-Match` */
        ETag: string;
        /** @description `true` when an earlier request with this key had done it */
        "Idempotency-Replayed": string;
        /** @description The wait that counted */
        "Preference-Applied": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listRuns: {
        parameters: {
            query?: {
                /** @description Maximum number of items in a page */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` of the page before, with the same filters; it lasts for 24 hours */
                cursor?: components["parameters"]["cursor"];
                /** @description One, or several with commas between: queued, running, waiting, completed, failed, cancelled, timed_out. Default: all */
                status?: string;
                /** @description Origin of the run: a request, an inbound webhook or a schedule. Default: all */
                kind?: "main" | "hook" | "schedule";
                /** @description Runs of this agent, by its id */
                agent?: string;
                /** @description Runs of this session */
                session_id?: string;
                /** @description Runs with this role */
                role?: string;
                /** @description Runs with exactly this label */
                label?: string;
                /** @description Created then or later, RFC 3339 */
                "created[gte]"?: string;
                /** @description Created before, RFC 3339 */
                "created[lt]"?: string;
                /** @description By creation; `desc`: newest first */
                order?: "desc" | "asc";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunList"];
                };
            };
        };
    };
    createRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description `wait=N`: seconds to wait for the end, 60 at the most */
                prefer?: string;
                /** @description The same key is the same request, done once: 8 to 200 of A-Z a-z 0-9 _ : -; kept 24 h, compared by the bytes of the body. The same key on another path is another key */
                "idempotency-key"?: components["parameters"]["idempotency-key"];
                /** @description W3C Trace Context: the run is part of that trace. One that is not valid is passed over; `tracestate` is not carried */
                traceparent?: components["parameters"]["traceparent"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RunInput"];
            };
        };
        responses: {
            /** @description Ended within the wait */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedRun"];
                    "text/event-stream": components["schemas"]["RunStreamData"];
                };
            };
            /** @description Accepted; `Location` names it */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedRun"];
                };
            };
        };
    };
    cancelRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The run's id, `run_` and 26 characters */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CancelInput"];
            };
        };
        responses: {
            /** @description Cancelled, or on its way */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CancelledRun"];
                };
            };
        };
    };
    getRun: {
        parameters: {
            query?: {
                /** @description Seconds to wait for the end; it answers as things stand when they are over */
                wait?: components["parameters"]["wait"];
            };
            header?: never;
            path: {
                /** @description The run's id, `run_` and 26 characters */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
        };
    };
    deleteRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The run's id, `run_` and 26 characters */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone, with everything below it */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    sendRunMessage: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key is the same request, done once: 8 to 200 of A-Z a-z 0-9 _ : -; kept 24 h, compared by the bytes of the body. The same key on another path is another key */
                "idempotency-key"?: components["parameters"]["idempotency-key"];
                /** @description W3C Trace Context: the trace of the run links to it */
                traceparent?: string;
            };
            path: {
                /** @description The run's id, `run_` and 26 characters */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MessageInput"];
            };
        };
        responses: {
            /** @description It will be read */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The message, as `message.received` names it (`msg_` and 26 characters) */
                        message_id: string;
                        /** @description The run that will read it (`run_` and 26 characters) */
                        run_id: string;
                        /** @description The tool call whose question it answers; null: none was open, it is an ordinary message */
                        answers: string | null;
                    };
                };
            };
        };
    };
    cancelRunChildren: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The run's id, `run_` and 26 characters */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Cancelled, or on their way */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CancelledRun"];
                };
            };
        };
    };
    listRunChildren: {
        parameters: {
            query?: {
                /** @description Maximum number of items in a page */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` of the page before, with the same filters; it lasts for 24 hours */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path: {
                /** @description The run's id, `run_` and 26 characters */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunList"];
                };
            };
        };
    };
    getRunConfig: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The run's id, `run_` and 26 characters */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunConfig"];
                };
            };
        };
    };
    getRunTree: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The run's id, `run_` and 26 characters */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunTree"];
                };
            };
        };
    };
    listRunEvents: {
        parameters: {
            query?: {
                /** @description Only events after this seq; 0, the default: all */
                after?: components["parameters"]["after"];
                /** @description A page's `next_cursor`: the page after it */
                cursor?: string;
                /** @description Maximum number of events in a JSON page */
                limit?: number;
                /** @description Streams only: with the events of all below. Default: of this log alone */
                include?: components["parameters"]["include"];
            };
            header?: {
                /** @description The id of the last event that you have: goes on behind it, and wins over `after` */
                "last-event-id"?: components["parameters"]["last-event-id"];
            };
            path: {
                /** @description The run's id, `run_` and 26 characters */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events, oldest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventList"];
                    "text/event-stream": components["schemas"]["RunStreamData"];
                };
            };
            /** @description There will be no more */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listFanoutEvents: {
        parameters: {
            query?: {
                /** @description Only events after this seq; 0, the default: all */
                after?: components["parameters"]["after"];
                /** @description A page's `next_cursor`: the page after it */
                cursor?: string;
                /** @description Maximum number of events in a JSON page */
                limit?: number;
                /** @description Streams only: with the events of all below. Default: of this log alone */
                include?: components["parameters"]["include"];
            };
            header?: {
                /** @description The id of the last event that you have: goes on behind it, and wins over `after` */
                "last-event-id"?: components["parameters"]["last-event-id"];
            };
            path: {
                /** @description The fan-out's id, `fan_` and 26 characters */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events, oldest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FanoutEventList"];
                    "text/event-stream": components["schemas"]["FanoutStreamData"];
                };
            };
            /** @description There will be no more */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getRunTranscript: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The run's id, `run_` and 26 characters */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The messages */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TranscriptMessageList"];
                };
            };
        };
    };
    getRunMedia: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The run's id, `run_` and 26 characters */
                id: string;
                /** @description The digest by which the transcript names it */
                digest: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Its bytes */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": unknown;
                };
            };
        };
    };
    downloadFile: {
        parameters: {
            query: {
                /** @description As the link has it */
                token: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Its bytes */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": unknown;
                };
            };
        };
    };
    listFanouts: {
        parameters: {
            query?: {
                /** @description Maximum number of items in a page */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` of the page before, with the same filters; it lasts for 24 hours */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FanoutList"];
                };
            };
        };
    };
    createFanout: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key is the same request, done once: 8 to 200 of A-Z a-z 0-9 _ : -; kept 24 h, compared by the bytes of the body. The same key on another path is another key */
                "idempotency-key"?: components["parameters"]["idempotency-key"];
                /** @description W3C Trace Context: the run is part of that trace. One that is not valid is passed over; `tracestate` is not carried */
                traceparent?: components["parameters"]["traceparent"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FanoutInput"];
            };
        };
        responses: {
            /** @description Accepted; `Location` names it */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedFanout"];
                };
            };
        };
    };
    getFanout: {
        parameters: {
            query?: {
                /** @description Seconds to wait for the end; it answers as things stand when they are over */
                wait?: components["parameters"]["wait"];
            };
            header?: never;
            path: {
                /** @description The fan-out's id, `fan_` and 26 characters */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FanoutWithResults"];
                };
            };
        };
    };
    deleteFanout: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The fan-out's id, `fan_` and 26 characters */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone, with everything below it */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listFanoutTasks: {
        parameters: {
            query?: {
                /** @description Maximum number of items in a page */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` of the page before, with the same filters; it lasts for 24 hours */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path: {
                /** @description The fan-out's id, `fan_` and 26 characters */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskResultList"];
                };
            };
        };
    };
    addFanoutTasks: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The fan-out's id, `fan_` and 26 characters */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FanoutPageInput"];
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddedFanoutPage"];
                };
            };
        };
    };
    sealFanout: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The fan-out's id, `fan_` and 26 characters */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FanoutSealInput"];
            };
        };
        responses: {
            /** @description Sealed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Fanout"];
                };
            };
        };
    };
    cancelFanout: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The fan-out's id, `fan_` and 26 characters */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CancelInput"];
            };
        };
        responses: {
            /** @description Cancelled, or on its way */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CancelledFanout"];
                };
            };
        };
    };
    resolveLayers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResolveInput"];
            };
        };
        responses: {
            /** @description Resolved */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Resolved"];
                };
            };
        };
    };
    diffResolved: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DiffInput"];
            };
        };
        responses: {
            /** @description The differences; values are never shown */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Diff"];
                };
            };
        };
    };
    reloadRuntime: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description `main`: the base layer */
                    role?: string | null;
                    /** @description Repository layer, e.g. `repos/app` */
                    repo_dir?: string | null;
                    /** @description Which of the two is meant */
                    scope?: ("role" | "repo") | null;
                    /** @description A prefix instead of both */
                    layer?: string | null;
                    /** @description Accepted and not needed: all are reloaded */
                    agent_id?: string | null;
                };
            };
        };
        responses: {
            /** @description The digest that the next run has */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Reloaded"];
                };
            };
        };
    };
    migrateLayer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MigrateInput"];
            };
        };
        responses: {
            /** @description The steps of a migration, done or planned */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Migration"];
                };
            };
        };
    };
    listSkills: {
        parameters: {
            query?: {
                /** @description A prefix: base/, roles/<role>/, repos/<name>/ */
                layer?: components["parameters"]["layer"];
                /** @description `false`: without those that are switched off */
                include_disabled?: components["parameters"]["include_disabled"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description By name */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LayerSkillList"];
                };
            };
        };
    };
    getSkill: {
        parameters: {
            query?: {
                /** @description A prefix: base/, roles/<role>/, repos/<name>/ */
                layer?: components["parameters"]["layer"];
                /** @description `false`: without the text of the file */
                include_content?: components["parameters"]["include_content"];
            };
            header?: never;
            path: {
                /** @description The skill, by the name of its directory */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The skill and its text */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LayerSkill"];
                };
            };
        };
    };
    putSkill: {
        parameters: {
            query?: {
                /** @description A prefix: base/, roles/<role>/, repos/<name>/ */
                layer?: components["parameters"]["layer"];
                /** @description Refuses what would be written, or restored, with warnings */
                strict?: components["parameters"]["strict"];
            };
            header?: {
                /** @description The etag that you have read, in quotes: 412 when it has changed since */
                "if-match"?: components["parameters"]["if-match"];
                /** @description `*`: only where there is nothing yet, else 412. Never with `If-Match` */
                "if-none-match"?: components["parameters"]["if-none-match"];
            };
            path: {
                /** @description The skill, by the name of its directory */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SkillInput"];
            };
        };
        responses: {
            /** @description Changed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WrittenSkill"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WrittenSkill"];
                };
            };
        };
    };
    deleteSkill: {
        parameters: {
            query?: {
                /** @description A prefix: base/, roles/<role>/, repos/<name>/ */
                layer?: components["parameters"]["layer"];
            };
            header?: {
                /** @description The etag that you have read, in quotes: 412 when it has changed since */
                "if-match"?: components["parameters"]["if-match"];
                /** @description `*`: only where there is nothing yet, else 412. Never with `If-Match` */
                "if-none-match"?: components["parameters"]["if-none-match"];
            };
            path: {
                /** @description The skill, by the name of its directory */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone; a version keeps it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
        };
    };
    setSkillEnabled: {
        parameters: {
            query?: {
                /** @description A prefix: base/, roles/<role>/, repos/<name>/ */
                layer?: components["parameters"]["layer"];
            };
            header?: {
                /** @description The etag that you have read, in quotes: 412 when it has changed since */
                "if-match"?: components["parameters"]["if-match"];
                /** @description `*`: only where there is nothing yet, else 412. Never with `If-Match` */
                "if-none-match"?: components["parameters"]["if-none-match"];
            };
            path: {
                /** @description The skill, by the name of its directory */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SwitchInput"];
            };
        };
        responses: {
            /** @description Changed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WrittenSkill"];
                };
            };
        };
    };
    listSkillVersions: {
        parameters: {
            query?: {
                /** @description A prefix: base/, roles/<role>/, repos/<name>/ */
                layer?: components["parameters"]["layer"];
                /** @description Maximum number of items in a page */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` of the page before, with the same filters; it lasts for 24 hours */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path: {
                /** @description The skill, by the name of its directory */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VersionList"];
                };
            };
        };
    };
    getSkillVersion: {
        parameters: {
            query?: {
                /** @description A prefix: base/, roles/<role>/, repos/<name>/ */
                layer?: components["parameters"]["layer"];
            };
            header?: never;
            path: {
                /** @description The skill, by the name of its directory */
                name: string;
                /** @description The version's id, `ver_` and 26 characters */
                version: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VersionWithFiles"];
                };
            };
        };
    };
    compareSkillVersion: {
        parameters: {
            query?: {
                /** @description A prefix: base/, roles/<role>/, repos/<name>/ */
                layer?: components["parameters"]["layer"];
                /** @description `current`, or the id of a version */
                with?: components["parameters"]["with"];
            };
            header?: never;
            path: {
                /** @description The skill, by the name of its directory */
                name: string;
                /** @description The version's id, `ver_` and 26 characters */
                version: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description File by file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Compared"];
                };
            };
        };
    };
    rollbackSkill: {
        parameters: {
            query?: {
                /** @description A prefix: base/, roles/<role>/, repos/<name>/ */
                layer?: components["parameters"]["layer"];
                /** @description Refuses what would be written, or restored, with warnings */
                strict?: components["parameters"]["strict"];
            };
            header?: {
                /** @description The etag that you have read, in quotes: 412 when it has changed since */
                "if-match"?: components["parameters"]["if-match"];
                /** @description `*`: only where there is nothing yet, else 412. Never with `If-Match` */
                "if-none-match"?: components["parameters"]["if-none-match"];
            };
            path: {
                /** @description The skill, by the name of its directory */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RollbackInput"];
            };
        };
        responses: {
            /** @description Changed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WrittenSkill"];
                };
            };
        };
    };
    listAgents: {
        parameters: {
            query?: {
                /** @description A prefix: base/, roles/<role>/, repos/<name>/ */
                layer?: components["parameters"]["layer"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description By name */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LayerAgentList"];
                };
            };
        };
    };
    getAgent: {
        parameters: {
            query?: {
                /** @description A prefix: base/, roles/<role>/, repos/<name>/ */
                layer?: components["parameters"]["layer"];
                /** @description `false`: without the text of the file */
                include_content?: components["parameters"]["include_content"];
            };
            header?: never;
            path: {
                /** @description The agent, by its id: the `name` of its file, in kebab-case */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agent and its file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LayerAgent"];
                };
            };
        };
    };
    putAgent: {
        parameters: {
            query?: {
                /** @description A prefix: base/, roles/<role>/, repos/<name>/ */
                layer?: components["parameters"]["layer"];
                /** @description Refuses what would be written, or restored, with warnings */
                strict?: components["parameters"]["strict"];
            };
            header?: {
                /** @description The etag that you have read, in quotes: 412 when it has changed since */
                "if-match"?: components["parameters"]["if-match"];
                /** @description `*`: only where there is nothing yet, else 412. Never with `If-Match` */
                "if-none-match"?: components["parameters"]["if-none-match"];
            };
            path: {
                /** @description The agent, by its id: the `name` of its file, in kebab-case */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentInput"];
            };
        };
        responses: {
            /** @description Changed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WrittenAgent"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WrittenAgent"];
                };
            };
        };
    };
    deleteAgent: {
        parameters: {
            query?: {
                /** @description A prefix: base/, roles/<role>/, repos/<name>/ */
                layer?: components["parameters"]["layer"];
            };
            header?: {
                /** @description The etag that you have read, in quotes: 412 when it has changed since */
                "if-match"?: components["parameters"]["if-match"];
                /** @description `*`: only where there is nothing yet, else 412. Never with `If-Match` */
                "if-none-match"?: components["parameters"]["if-none-match"];
            };
            path: {
                /** @description The agent, by its id: the `name` of its file, in kebab-case */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone; a version keeps it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
        };
    };
    updateAgent: {
        parameters: {
            query?: {
                /** @description A prefix: base/, roles/<role>/, repos/<name>/ */
                layer?: components["parameters"]["layer"];
                /** @description Refuses what would be written, or restored, with warnings */
                strict?: components["parameters"]["strict"];
            };
            header?: {
                /** @description The etag that you have read, in quotes: 412 when it has changed since */
                "if-match"?: components["parameters"]["if-match"];
                /** @description `*`: only where there is nothing yet, else 412. Never with `If-Match` */
                "if-none-match"?: components["parameters"]["if-none-match"];
            };
            path: {
                /** @description The agent, by its id: the `name` of its file, in kebab-case */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentPatch"];
            };
        };
        responses: {
            /** @description Changed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WrittenAgent"];
                };
            };
        };
    };
    listAgentVersions: {
        parameters: {
            query?: {
                /** @description A prefix: base/, roles/<role>/, repos/<name>/ */
                layer?: components["parameters"]["layer"];
                /** @description Maximum number of items in a page */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` of the page before, with the same filters; it lasts for 24 hours */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path: {
                /** @description The agent, by its id: the `name` of its file, in kebab-case */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VersionList"];
                };
            };
        };
    };
    getAgentVersion: {
        parameters: {
            query?: {
                /** @description A prefix: base/, roles/<role>/, repos/<name>/ */
                layer?: components["parameters"]["layer"];
            };
            header?: never;
            path: {
                /** @description The agent, by its id: the `name` of its file, in kebab-case */
                name: string;
                /** @description The version's id, `ver_` and 26 characters */
                version: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VersionWithFiles"];
                };
            };
        };
    };
    compareAgentVersion: {
        parameters: {
            query?: {
                /** @description A prefix: base/, roles/<role>/, repos/<name>/ */
                layer?: components["parameters"]["layer"];
                /** @description `current`, or the id of a version */
                with?: components["parameters"]["with"];
            };
            header?: never;
            path: {
                /** @description The agent, by its id: the `name` of its file, in kebab-case */
                name: string;
                /** @description The version's id, `ver_` and 26 characters */
                version: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description File by file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Compared"];
                };
            };
        };
    };
    rollbackAgent: {
        parameters: {
            query?: {
                /** @description A prefix: base/, roles/<role>/, repos/<name>/ */
                layer?: components["parameters"]["layer"];
                /** @description Refuses what would be written, or restored, with warnings */
                strict?: components["parameters"]["strict"];
            };
            header?: {
                /** @description The etag that you have read, in quotes: 412 when it has changed since */
                "if-match"?: components["parameters"]["if-match"];
                /** @description `*`: only where there is nothing yet, else 412. Never with `If-Match` */
                "if-none-match"?: components["parameters"]["if-none-match"];
            };
            path: {
                /** @description The agent, by its id: the `name` of its file, in kebab-case */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RollbackInput"];
            };
        };
        responses: {
            /** @description Changed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WrittenAgent"];
                };
            };
        };
    };
    listMcpServers: {
        parameters: {
            query?: {
                /** @description A prefix: base/, roles/<role>/, repos/<name>/ */
                layer?: components["parameters"]["layer"];
                /** @description `false`: without those that are switched off */
                include_disabled?: components["parameters"]["include_disabled"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description By name */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LayerServerList"];
                };
            };
        };
    };
    getMcpServer: {
        parameters: {
            query?: {
                /** @description A prefix: base/, roles/<role>/, repos/<name>/ */
                layer?: components["parameters"]["layer"];
            };
            header?: never;
            path: {
                /** @description The server, by its name in the configuration; case does not matter */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The server */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LayerServer"];
                };
            };
        };
    };
    putMcpServer: {
        parameters: {
            query?: {
                /** @description A prefix: base/, roles/<role>/, repos/<name>/ */
                layer?: components["parameters"]["layer"];
                /** @description Refuses what would be written, or restored, with warnings */
                strict?: components["parameters"]["strict"];
            };
            header?: {
                /** @description The etag that you have read, in quotes: 412 when it has changed since */
                "if-match"?: components["parameters"]["if-match"];
                /** @description `*`: only where there is nothing yet, else 412. Never with `If-Match` */
                "if-none-match"?: components["parameters"]["if-none-match"];
            };
            path: {
                /** @description The server, by its name in the configuration; case does not matter */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ServerInput"];
            };
        };
        responses: {
            /** @description Changed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WrittenServer"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WrittenServer"];
                };
            };
        };
    };
    deleteMcpServer: {
        parameters: {
            query?: {
                /** @description A prefix: base/, roles/<role>/, repos/<name>/ */
                layer?: components["parameters"]["layer"];
            };
            header?: {
                /** @description The etag that you have read, in quotes: 412 when it has changed since */
                "if-match"?: components["parameters"]["if-match"];
                /** @description `*`: only where there is nothing yet, else 412. Never with `If-Match` */
                "if-none-match"?: components["parameters"]["if-none-match"];
            };
            path: {
                /** @description The server, by its name in the configuration; case does not matter */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone; a version keeps it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
        };
    };
    updateMcpServer: {
        parameters: {
            query?: {
                /** @description A prefix: base/, roles/<role>/, repos/<name>/ */
                layer?: components["parameters"]["layer"];
                /** @description Refuses what would be written, or restored, with warnings */
                strict?: components["parameters"]["strict"];
            };
            header?: {
                /** @description The etag that you have read, in quotes: 412 when it has changed since */
                "if-match"?: components["parameters"]["if-match"];
                /** @description `*`: only where there is nothing yet, else 412. Never with `If-Match` */
                "if-none-match"?: components["parameters"]["if-none-match"];
            };
            path: {
                /** @description The server, by its name in the configuration; case does not matter */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ServerPatch"];
            };
        };
        responses: {
            /** @description Changed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WrittenServer"];
                };
            };
        };
    };
    listMcpServerVersions: {
        parameters: {
            query?: {
                /** @description A prefix: base/, roles/<role>/, repos/<name>/ */
                layer?: components["parameters"]["layer"];
                /** @description Maximum number of items in a page */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` of the page before, with the same filters; it lasts for 24 hours */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path: {
                /** @description The server, by its name in the configuration; case does not matter */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VersionList"];
                };
            };
        };
    };
    getMcpServerVersion: {
        parameters: {
            query?: {
                /** @description A prefix: base/, roles/<role>/, repos/<name>/ */
                layer?: components["parameters"]["layer"];
            };
            header?: never;
            path: {
                /** @description The server, by its name in the configuration; case does not matter */
                name: string;
                /** @description The version's id, `ver_` and 26 characters */
                version: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VersionWithFiles"];
                };
            };
        };
    };
    compareMcpServerVersion: {
        parameters: {
            query?: {
                /** @description A prefix: base/, roles/<role>/, repos/<name>/ */
                layer?: components["parameters"]["layer"];
                /** @description `current`, or the id of a version */
                with?: components["parameters"]["with"];
            };
            header?: never;
            path: {
                /** @description The server, by its name in the configuration; case does not matter */
                name: string;
                /** @description The version's id, `ver_` and 26 characters */
                version: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description File by file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Compared"];
                };
            };
        };
    };
    rollbackMcpServer: {
        parameters: {
            query?: {
                /** @description A prefix: base/, roles/<role>/, repos/<name>/ */
                layer?: components["parameters"]["layer"];
                /** @description Refuses what would be written, or restored, with warnings */
                strict?: components["parameters"]["strict"];
            };
            header?: {
                /** @description The etag that you have read, in quotes: 412 when it has changed since */
                "if-match"?: components["parameters"]["if-match"];
                /** @description `*`: only where there is nothing yet, else 412. Never with `If-Match` */
                "if-none-match"?: components["parameters"]["if-none-match"];
            };
            path: {
                /** @description The server, by its name in the configuration; case does not matter */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RollbackInput"];
            };
        };
        responses: {
            /** @description Changed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WrittenServer"];
                };
            };
        };
    };
    testMcpServer: {
        parameters: {
            query?: {
                /** @description A prefix: base/, roles/<role>/, repos/<name>/ */
                layer?: components["parameters"]["layer"];
            };
            header?: never;
            path: {
                /** @description The server, by its name in the configuration; case does not matter */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The outcome of the connection test */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Probed"];
                };
            };
        };
    };
    authorizeMcpServer: {
        parameters: {
            query?: {
                /** @description A prefix: base/, roles/<role>/, repos/<name>/ */
                layer?: components["parameters"]["layer"];
            };
            header?: never;
            path: {
                /** @description The server, by its name in the configuration; case does not matter */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The link */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthorizationLink"];
                };
            };
        };
    };
    forgetMcpServerAuthorization: {
        parameters: {
            query?: {
                /** @description A prefix: base/, roles/<role>/, repos/<name>/ */
                layer?: components["parameters"]["layer"];
            };
            header?: never;
            path: {
                /** @description The server, by its name in the configuration; case does not matter */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description They are gone */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ForgottenAuthorization"];
                };
            };
        };
    };
    finishAuthorization: {
        parameters: {
            query?: {
                /** @description As it stood in the link */
                state?: string;
                /** @description Consent: what is exchanged for a token */
                code?: string;
                /** @description Refusal: a code of OAuth */
                error?: string;
                /** @description The authorization server that answers */
                iss?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A sentence for the person */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
        };
    };
    getPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The policy */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Policy"];
                };
            };
        };
    };
    putPolicy: {
        parameters: {
            query?: never;
            header?: {
                /** @description The etag that you have read, in quotes: 412 when it has changed since */
                "if-match"?: components["parameters"]["if-match"];
                /** @description `*`: only where there is nothing yet, else 412. Never with `If-Match` */
                "if-none-match"?: components["parameters"]["if-none-match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PolicyInput"];
            };
        };
        responses: {
            /** @description The policy as it now is */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Policy"];
                };
            };
        };
    };
    listAuditEntries: {
        parameters: {
            query?: {
                /** @description Maximum number of items in a page */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` of the page before, with the same filters; it lasts for 24 hours */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditEntryList"];
                };
            };
        };
    };
    callMcp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": ({
                    /**
                     * @description The version of JSON-RPC
                     * @constant
                     */
                    jsonrpc: "2.0";
                    /** @description Comes back with the answer; without it no answer is wanted */
                    id?: string | number;
                    /** @description `initialize`, `tools/list`, `tools/call` and others of MCP */
                    method: string;
                    /** @description Parameters of the method */
                    params?: {
                        [key: string]: unknown;
                    };
                } & {
                    [key: string]: unknown;
                }) | ({
                    /**
                     * @description The version of JSON-RPC
                     * @constant
                     */
                    jsonrpc: "2.0";
                    /** @description Comes back with the answer; without it no answer is wanted */
                    id?: string | number;
                    /** @description `initialize`, `tools/list`, `tools/call` and others of MCP */
                    method: string;
                    /** @description Parameters of the method */
                    params?: {
                        [key: string]: unknown;
                    };
                } & {
                    [key: string]: unknown;
                })[];
            };
        };
        responses: {
            /** @description A JSON-RPC answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McpAnswer"];
                    "text/event-stream": components["schemas"]["McpAnswer"];
                };
            };
        };
    };
    listFiles: {
        parameters: {
            query?: {
                /** @description Only keys that begin so, e.g. `base/`; empty: all */
                prefix?: string;
                /** @description Maximum number of files in a page */
                limit?: number;
                /** @description `next_cursor` of the page before, with the same filters; it lasts for 24 hours */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Ordered by path */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileList"];
                };
            };
        };
    };
    getFile: {
        parameters: {
            query?: never;
            header?: {
                /** @description Etags that you have, in quotes, or `*`: 304 when the file is one of them */
                "if-none-match"?: string;
            };
            path: {
                /** @description The key of the file, e.g. `base/.agents/skills/deploy/SKILL.md` */
                path: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Its bytes */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": unknown;
                };
            };
        };
    };
    putFile: {
        parameters: {
            query?: never;
            header?: {
                /** @description The etag that you have read, in quotes: 412 when it has changed since */
                "if-match"?: components["parameters"]["if-match"];
                /** @description `*`: only where there is nothing yet, else 412. Never with `If-Match` */
                "if-none-match"?: components["parameters"]["if-none-match"];
            };
            path: {
                /** @description The key of the file, e.g. `base/.agents/skills/deploy/SKILL.md` */
                path: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": unknown;
            };
        };
        responses: {
            /** @description Replaced */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The key of the file, as `/v1/files/{path}` takes it */
                        path: string;
                        /** @description The etag of its bytes, for `If-Match`, without quotes */
                        etag: string;
                    };
                };
            };
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The key of the file, as `/v1/files/{path}` takes it */
                        path: string;
                        /** @description The etag of its bytes, for `If-Match`, without quotes */
                        etag: string;
                    };
                };
            };
        };
    };
    deleteFile: {
        parameters: {
            query?: never;
            header?: {
                /** @description The etag that you have read, in quotes: 412 when it has changed since */
                "if-match"?: components["parameters"]["if-match"];
            };
            path: {
                /** @description The key of the file, e.g. `base/.agents/skills/deploy/SKILL.md` */
                path: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    searchMemory: {
        parameters: {
            query: {
                /** @description Words to look for */
                query: string;
                /** @description Only paths that begin so, e.g. `shared/` */
                prefix?: string;
                /** @description How many passages; default 8 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The best passages */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemoryFound"];
                };
            };
        };
    };
    getMemoryStatus: {
        parameters: {
            query?: {
                /** @description Only paths that begin so, e.g. `shared/` */
                prefix?: components["parameters"]["prefix"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The state */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemoryStatus"];
                };
            };
        };
    };
    rebuildMemory: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["MemoryRebuild"];
            };
        };
        responses: {
            /** @description The state */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemoryStatus"];
                };
            };
        };
    };
    listMemoryVersions: {
        parameters: {
            query: {
                /** @description The file, e.g. `shared/MEMORY.md` */
                path: components["parameters"]["path"];
                /** @description Maximum number of items in a page */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` of the page before, with the same filters; it lasts for 24 hours */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VersionList"];
                };
            };
        };
    };
    getMemoryVersion: {
        parameters: {
            query: {
                /** @description The file, e.g. `shared/MEMORY.md` */
                path: components["parameters"]["path"];
            };
            header?: never;
            path: {
                /** @description The version's id, `ver_` and 26 characters */
                version: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VersionWithFiles"];
                };
            };
        };
    };
    listMemory: {
        parameters: {
            query?: {
                /** @description Only paths that begin so, e.g. `shared/` */
                prefix?: components["parameters"]["prefix"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description By path */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemoryFiles"];
                };
            };
        };
    };
    getMemory: {
        parameters: {
            query?: {
                /** @description First line, from 1; 0 is the first */
                start?: number;
                /** @description How many lines */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description The file, e.g. `shared/MEMORY.md` */
                path: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Its text */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemoryText"];
                };
            };
        };
    };
    putMemory: {
        parameters: {
            query?: never;
            header?: {
                /** @description The etag that you have read, in quotes: 412 when it has changed since */
                "if-match"?: components["parameters"]["if-match"];
                /** @description `*`: only where there is nothing yet, else 412. Never with `If-Match` */
                "if-none-match"?: components["parameters"]["if-none-match"];
            };
            path: {
                /** @description The file, e.g. `shared/MEMORY.md` */
                path: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MemoryPut"];
            };
        };
        responses: {
            /** @description Replaced */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemoryWritten"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemoryWritten"];
                };
            };
        };
    };
    appendMemory: {
        parameters: {
            query?: never;
            header?: {
                /** @description The etag that you have read, in quotes: 412 when it has changed since */
                "if-match"?: components["parameters"]["if-match"];
                /** @description `*`: only where there is nothing yet, else 412. Never with `If-Match` */
                "if-none-match"?: components["parameters"]["if-none-match"];
            };
            path: {
                /** @description The file, e.g. `shared/MEMORY.md` */
                path: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MemoryAppend"];
            };
        };
        responses: {
            /** @description Added */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemoryWritten"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemoryWritten"];
                };
            };
        };
    };
    deleteMemory: {
        parameters: {
            query?: never;
            header?: {
                /** @description The etag that you have read, in quotes: 412 when it has changed since */
                "if-match"?: components["parameters"]["if-match"];
            };
            path: {
                /** @description The file, e.g. `shared/MEMORY.md` */
                path: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemoryDeleted"];
                };
            };
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                /** @description Maximum number of items in a page */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` of the page before, with the same filters; it lasts for 24 hours */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyList"];
                };
            };
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key is the same request, done once: 8 to 200 of A-Z a-z 0-9 _ : -; kept 24 h, compared by the bytes of the body. The same key on another path is another key */
                "idempotency-key"?: components["parameters"]["idempotency-key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApiKeyInput"];
            };
        };
        responses: {
            /** @description Made */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyWithText"];
                };
            };
        };
    };
    getApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The key, by the 16 characters behind `strata_` in its text */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The key, by the 16 characters behind `strata_` in its text */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Revoked */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    rotateApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key is the same request, done once: 8 to 200 of A-Z a-z 0-9 _ : -; kept 24 h, compared by the bytes of the body. The same key on another path is another key */
                "idempotency-key"?: components["parameters"]["idempotency-key"];
            };
            path: {
                /** @description The key, by the 16 characters behind `strata_` in its text */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ApiKeyRotation"];
            };
        };
        responses: {
            /** @description The new key */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyWithText"];
                };
            };
        };
    };
    listWebhookEndpoints: {
        parameters: {
            query?: {
                /** @description Maximum number of items in a page */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` of the page before, with the same filters; it lasts for 24 hours */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointList"];
                };
            };
        };
    };
    createWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key is the same request, done once: 8 to 200 of A-Z a-z 0-9 _ : -; kept 24 h, compared by the bytes of the body. The same key on another path is another key */
                "idempotency-key"?: components["parameters"]["idempotency-key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookEndpointInput"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointWithSecret"];
                };
            };
        };
    };
    getWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The endpoint's id, `whe_` and 26 characters */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
        };
    };
    deleteWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description The etag that you have read, in quotes: 412 when it has changed since */
                "if-match"?: components["parameters"]["if-match"];
                /** @description `*`: only where there is nothing yet, else 412. Never with `If-Match` */
                "if-none-match"?: components["parameters"]["if-none-match"];
            };
            path: {
                /** @description The endpoint's id, `whe_` and 26 characters */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description The etag that you have read, in quotes: 412 when it has changed since */
                "if-match"?: components["parameters"]["if-match"];
                /** @description `*`: only where there is nothing yet, else 412. Never with `If-Match` */
                "if-none-match"?: components["parameters"]["if-none-match"];
            };
            path: {
                /** @description The endpoint's id, `whe_` and 26 characters */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookEndpointPatch"];
            };
        };
        responses: {
            /** @description As it now is */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
        };
    };
    rotateWebhookEndpointSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key is the same request, done once: 8 to 200 of A-Z a-z 0-9 _ : -; kept 24 h, compared by the bytes of the body. The same key on another path is another key */
                "idempotency-key"?: components["parameters"]["idempotency-key"];
            };
            path: {
                /** @description The endpoint's id, `whe_` and 26 characters */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description The new secret */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointWithSecret"];
                };
            };
        };
    };
    testWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key is the same request, done once: 8 to 200 of A-Z a-z 0-9 _ : -; kept 24 h, compared by the bytes of the body. The same key on another path is another key */
                "idempotency-key"?: components["parameters"]["idempotency-key"];
            };
            path: {
                /** @description The endpoint's id, `whe_` and 26 characters */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description On its way */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description Maximum number of items in a page */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` of the page before, with the same filters; it lasts for 24 hours */
                cursor?: components["parameters"]["cursor"];
                /** @description Only those to this endpoint: `whe_` and 26 characters */
                endpoint_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryList"];
                };
            };
        };
    };
    getWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The delivery's id, `dlv_` and 26 characters */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryWithAttempts"];
                };
            };
        };
    };
    replayWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The delivery's id, `dlv_` and 26 characters */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description On its way */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
        };
    };
    replayWebhookDeliveries: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplayInput"];
            };
        };
        responses: {
            /** @description On their way */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Replayed"];
                };
            };
        };
    };
    listHooks: {
        parameters: {
            query?: {
                /** @description Maximum number of items in a page */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` of the page before, with the same filters; it lasts for 24 hours */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HookList"];
                };
            };
        };
    };
    createHook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key is the same request, done once: 8 to 200 of A-Z a-z 0-9 _ : -; kept 24 h, compared by the bytes of the body. The same key on another path is another key */
                "idempotency-key"?: components["parameters"]["idempotency-key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HookInput"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HookWithSecret"];
                };
            };
        };
    };
    getHook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The hook's id, `hk_` and 26 characters */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Hook"];
                };
            };
        };
    };
    receiveHook: {
        parameters: {
            query?: never;
            header?: {
                /** @description W3C Trace Context: the run is part of that trace. One that is not valid is passed over; `tracestate` is not carried */
                traceparent?: components["parameters"]["traceparent"];
            };
            path: {
                /** @description The hook's id, `hk_` and 26 characters */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": unknown;
            };
        };
        responses: {
            /** @description It had come before, or starts no run */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HookReceived"];
                };
            };
            /** @description A run was started */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HookReceived"];
                };
            };
        };
    };
    deleteHook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The etag that you have read, in quotes: 412 when it has changed since */
                "if-match"?: components["parameters"]["if-match"];
                /** @description `*`: only where there is nothing yet, else 412. Never with `If-Match` */
                "if-none-match"?: components["parameters"]["if-none-match"];
            };
            path: {
                /** @description The hook's id, `hk_` and 26 characters */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateHook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The etag that you have read, in quotes: 412 when it has changed since */
                "if-match"?: components["parameters"]["if-match"];
                /** @description `*`: only where there is nothing yet, else 412. Never with `If-Match` */
                "if-none-match"?: components["parameters"]["if-none-match"];
            };
            path: {
                /** @description The hook's id, `hk_` and 26 characters */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HookPatch"];
            };
        };
        responses: {
            /** @description As it now is */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Hook"];
                };
            };
        };
    };
    rotateHookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key is the same request, done once: 8 to 200 of A-Z a-z 0-9 _ : -; kept 24 h, compared by the bytes of the body. The same key on another path is another key */
                "idempotency-key"?: components["parameters"]["idempotency-key"];
            };
            path: {
                /** @description The hook's id, `hk_` and 26 characters */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["HookRotation"];
            };
        };
        responses: {
            /** @description The new secret */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HookWithSecret"];
                };
            };
        };
    };
    listSessions: {
        parameters: {
            query?: {
                /** @description Maximum number of items in a page */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` of the page before, with the same filters; it lasts for 24 hours */
                cursor?: components["parameters"]["cursor"];
                /** @description Sessions of this kind; default: all. `main`: asked for by a request, or the closing run of a fan-out. `subagent`: started by a run or a fan-out. `hook`: started by a webhook that came in. `schedule`: started by a schedule */
                kind?: "main" | "subagent" | "schedule" | "hook";
                /** @description Whether those put away are shown */
                archived?: "exclude" | "only" | "include";
                /** @description A part of the title, opening, agent, id or of a value of the metadata */
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionList"];
                };
            };
        };
    };
    createSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key is the same request, done once: 8 to 200 of A-Z a-z 0-9 _ : -; kept 24 h, compared by the bytes of the body. The same key on another path is another key */
                "idempotency-key"?: components["parameters"]["idempotency-key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SessionInput"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
        };
    };
    getSession: {
        parameters: {
            query?: {
                /** @description Seconds to wait for the end; it answers as things stand when they are over */
                wait?: components["parameters"]["wait"];
            };
            header?: never;
            path: {
                /** @description The session's id, `ses_` and 26 characters */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
        };
    };
    deleteSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The session's id, `ses_` and 26 characters */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description The etag that you have read, in quotes: 412 when it has changed since */
                "if-match"?: components["parameters"]["if-match"];
                /** @description `*`: only where there is nothing yet, else 412. Never with `If-Match` */
                "if-none-match"?: components["parameters"]["if-none-match"];
            };
            path: {
                /** @description The session's id, `ses_` and 26 characters */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SessionChange"];
            };
        };
        responses: {
            /** @description As it now is */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
        };
    };
    forkSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key is the same request, done once: 8 to 200 of A-Z a-z 0-9 _ : -; kept 24 h, compared by the bytes of the body. The same key on another path is another key */
                "idempotency-key"?: components["parameters"]["idempotency-key"];
            };
            path: {
                /** @description The session's id, `ses_` and 26 characters */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SessionFork"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
        };
    };
    listSessionMessages: {
        parameters: {
            query?: {
                /** @description Maximum number of items in a page */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` of the page before, with the same filters; it lasts for 24 hours */
                cursor?: components["parameters"]["cursor"];
                /** @description Oldest or newest first */
                order?: components["parameters"]["order"];
                /** @description Only messages that contain this text */
                q?: string;
            };
            header?: never;
            path: {
                /** @description The session's id, `ses_` and 26 characters */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The messages */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TranscriptMessageList"];
                };
            };
        };
    };
    listSessionRuns: {
        parameters: {
            query?: {
                /** @description Maximum number of items in a page */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` of the page before, with the same filters; it lasts for 24 hours */
                cursor?: components["parameters"]["cursor"];
                /** @description Oldest or newest first */
                order?: components["parameters"]["order"];
            };
            header?: never;
            path: {
                /** @description The session's id, `ses_` and 26 characters */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The runs */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunList"];
                };
            };
        };
    };
    exportSession: {
        parameters: {
            query?: {
                /** @description JSON Lines, or Markdown */
                format?: "jsonl" | "markdown";
            };
            header?: never;
            path: {
                /** @description The session's id, `ses_` and 26 characters */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": unknown;
                };
            };
        };
    };
    listSchedules: {
        parameters: {
            query?: {
                /** @description Maximum number of items in a page */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` of the page before, with the same filters; it lasts for 24 hours */
                cursor?: components["parameters"]["cursor"];
                /** @description `wakeup`: those that models have made with `schedule_wakeup` */
                kind?: "schedule" | "wakeup";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduleList"];
                };
            };
        };
    };
    createSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key is the same request, done once: 8 to 200 of A-Z a-z 0-9 _ : -; kept 24 h, compared by the bytes of the body. The same key on another path is another key */
                "idempotency-key"?: components["parameters"]["idempotency-key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScheduleInput"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduleWritten"];
                };
            };
        };
    };
    getSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The schedule's name, or its id, `sch_` and 26 characters */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Schedule"];
                };
            };
        };
    };
    putSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description The etag that you have read, in quotes: 412 when it has changed since */
                "if-match"?: components["parameters"]["if-match"];
                /** @description `*`: only where there is nothing yet, else 412. Never with `If-Match` */
                "if-none-match"?: components["parameters"]["if-none-match"];
            };
            path: {
                /** @description The schedule's name, or its id, `sch_` and 26 characters */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SchedulePut"];
            };
        };
        responses: {
            /** @description As it now is */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduleWritten"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduleWritten"];
                };
            };
        };
    };
    deleteSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description The etag that you have read, in quotes: 412 when it has changed since */
                "if-match"?: components["parameters"]["if-match"];
                /** @description `*`: only where there is nothing yet, else 412. Never with `If-Match` */
                "if-none-match"?: components["parameters"]["if-none-match"];
            };
            path: {
                /** @description The schedule's name, or its id, `sch_` and 26 characters */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description The etag that you have read, in quotes: 412 when it has changed since */
                "if-match"?: components["parameters"]["if-match"];
                /** @description `*`: only where there is nothing yet, else 412. Never with `If-Match` */
                "if-none-match"?: components["parameters"]["if-none-match"];
            };
            path: {
                /** @description The schedule's name, or its id, `sch_` and 26 characters */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SchedulePatch"];
            };
        };
        responses: {
            /** @description As it now is */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduleWritten"];
                };
            };
        };
    };
    putScheduleSource: {
        parameters: {
            query?: never;
            header?: {
                /** @description The etag that you have read, in quotes: 412 when it has changed since */
                "if-match"?: components["parameters"]["if-match"];
                /** @description `*`: only where there is nothing yet, else 412. Never with `If-Match` */
                "if-none-match"?: components["parameters"]["if-none-match"];
            };
            path: {
                /** @description The schedule's name, or its id, `sch_` and 26 characters */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ScheduleSourceInput"];
            };
        };
        responses: {
            /** @description As it now is */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduleWritten"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduleWritten"];
                };
            };
        };
    };
    pauseSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description The etag that you have read, in quotes: 412 when it has changed since */
                "if-match"?: components["parameters"]["if-match"];
                /** @description `*`: only where there is nothing yet, else 412. Never with `If-Match` */
                "if-none-match"?: components["parameters"]["if-none-match"];
            };
            path: {
                /** @description The schedule's name, or its id, `sch_` and 26 characters */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SchedulePause"];
            };
        };
        responses: {
            /** @description As it now is */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Schedule"];
                };
            };
        };
    };
    resumeSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description The etag that you have read, in quotes: 412 when it has changed since */
                "if-match"?: components["parameters"]["if-match"];
                /** @description `*`: only where there is nothing yet, else 412. Never with `If-Match` */
                "if-none-match"?: components["parameters"]["if-none-match"];
            };
            path: {
                /** @description The schedule's name, or its id, `sch_` and 26 characters */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it now is */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Schedule"];
                };
            };
        };
    };
    runSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key is the same request, done once: 8 to 200 of A-Z a-z 0-9 _ : -; kept 24 h, compared by the bytes of the body. The same key on another path is another key */
                "idempotency-key"?: components["parameters"]["idempotency-key"];
            };
            path: {
                /** @description The schedule's name, or its id, `sch_` and 26 characters */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The run of this fire, which is there */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduleRun"];
                };
            };
        };
    };
    listScheduleRuns: {
        parameters: {
            query?: {
                /** @description Maximum number of items in a page */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` of the page before, with the same filters; it lasts for 24 hours */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path: {
                /** @description The schedule's name, or its id, `sch_` and 26 characters */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduleFireList"];
                };
            };
        };
    };
    listApprovals: {
        parameters: {
            query?: {
                /** @description Maximum number of items in a page */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` of the page before, with the same filters; it lasts for 24 hours */
                cursor?: components["parameters"]["cursor"];
                /** @description `decided`: approved, denied, expired or closed */
                status?: "pending" | "decided";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovalList"];
                };
            };
        };
    };
    getApproval: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The approval's id, `apr_` and 52 characters */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description With its arguments in full */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Approval"];
                };
            };
        };
    };
    decideApproval: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The approval's id, `apr_` and 52 characters */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DecisionInput"];
            };
        };
        responses: {
            /** @description Decided */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Approval"];
                };
            };
        };
    };
    listTools: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tools */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolList"];
                };
            };
        };
    };
    listLimits: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every bound of this deployment by its name, with its reason */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: components["schemas"]["Limit"];
                    };
                };
            };
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It does */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Always `ok`: the process answers */
                        status: string;
                    };
                };
            };
        };
    };
    getReadiness: {
        parameters: {
            query?: {
                /** @description 503, too, when the clock has not ticked for so many seconds, or was so late: for a monitor that knows statuses alone */
                clock_within?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description They can */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Always `ready`: the storage answers */
                        status: string;
                        /** @description The clock that wakes what is due */
                        clock: {
                            /** @description Since the clock came to its end and said so, which it does once a minute; null: never */
                            ticked_seconds_ago: number | null;
                            /** @description How late the oldest of all that was due then was; null where each run has an alarm of its own (Cloudflare), or before the first tick */
                            oldest_due_seconds: number | null;
                        };
                    };
                };
            };
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Counters, gauges and histograms */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
        };
    };
    listModels: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The models */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Models"];
                };
            };
        };
    };
    createResponse: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key is the same request, done once: 8 to 200 of A-Z a-z 0-9 _ : -; kept 24 h, compared by the bytes of the body. The same key on another path is another key */
                "idempotency-key"?: components["parameters"]["idempotency-key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResponseInput"];
            };
        };
        responses: {
            /** @description The response; `queued` or `in_progress` when it has not ended */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Response"];
                    "text/event-stream": components["schemas"]["ResponseEvent"];
                };
            };
        };
    };
    getResponse: {
        parameters: {
            query?: {
                /** @description `true`: its events, from the first or from `starting_after` on */
                stream?: "true" | "false";
                /** @description The `sequence_number` of the last event that you have */
                starting_after?: number;
                /** @description Taken and not used */
                include_obfuscation?: "true" | "false";
            };
            header?: never;
            path: {
                /** @description The id of the response */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Response"];
                    "text/event-stream": components["schemas"]["ResponseEvent"];
                };
            };
        };
    };
    deleteResponse: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the response */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description `resp_` and the rest of the id of the run; `_1`, `_2` … where the run has gone on */
                        id: string;
                        /**
                         * @description Always `response.deleted`: which kind of object this is
                         * @constant
                         */
                        object: "response.deleted";
                        /**
                         * @description Its run is gone
                         * @constant
                         */
                        deleted: true;
                    };
                };
            };
        };
    };
    listResponseInputItems: {
        parameters: {
            query?: {
                /** @description Items in a page */
                limit?: number;
                /** @description Oldest or newest first */
                order?: "asc" | "desc";
                /** @description The id of the last item that you have */
                after?: string;
            };
            header?: never;
            path: {
                /** @description The id of the response */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always `list`: which kind of object this is
                         * @constant
                         */
                        object: "list";
                        /** @description The items of this page */
                        data: components["schemas"]["ResponseItem"][];
                        /** @description The first of them; null: there is none */
                        first_id: string | null;
                        /** @description The last of them; null: there is none */
                        last_id: string | null;
                        /** @description Whether another page follows, by `after` */
                        has_more: boolean;
                    };
                };
            };
        };
    };
    cancelResponse: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the response */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Cancelled, or on its way */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Response"];
                };
            };
        };
    };
    createChatCompletion: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key is the same request, done once: 8 to 200 of A-Z a-z 0-9 _ : -; kept 24 h, compared by the bytes of the body. The same key on another path is another key */
                "idempotency-key"?: components["parameters"]["idempotency-key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChatInput"];
            };
        };
        responses: {
            /** @description The completion */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatCompletion"];
                    "text/event-stream": components["schemas"]["ChatCompletionChunk"];
                };
            };
        };
    };
    getPublicAgentCard: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The card */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentCard"];
                };
            };
        };
    };
    listAgentCards: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The cards */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always `list`: which kind of object this is
                         * @constant
                         */
                        object: "list";
                        /** @description A card for each agent that is shown */
                        data: components["schemas"]["AgentCard"][];
                    };
                };
            };
        };
    };
    getAgentCard: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The agent, by its id */
                agent: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The card */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentCard"];
                };
            };
        };
    };
    callAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Always `1.0`; needed */
                "a2a-version"?: string;
                /** @description The id of the last event that you have: goes on behind it, and wins over `after` */
                "last-event-id"?: components["parameters"]["last-event-id"];
            };
            path: {
                /** @description The agent, by its id */
                agent: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The version of JSON-RPC
                     * @constant
                     */
                    jsonrpc: "2.0";
                    /** @description Comes back with the answer */
                    id: string | number;
                    /** @description A method of A2A 1.0, e.g. `SendMessage` */
                    method: string;
                    /** @description Its parameters, as A2A has them */
                    params?: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description The answer, also a JSON-RPC error */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["A2aAnswer"];
                    "text/event-stream": components["schemas"]["A2aAnswer"];
                };
            };
        };
    };
    runAgUi: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of the last event that you have: goes on behind it, and wins over `after` */
                "last-event-id"?: components["parameters"]["last-event-id"];
            };
            path: {
                /** @description The agent, by its id */
                agent: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgUiInput"];
            };
        };
        responses: {
            /** @description The events */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["AgUiEvent"];
                };
            };
        };
    };
    getUsage: {
        parameters: {
            query?: {
                /** @description The first day (UTC), at most 366 before `to`; default: 30 before */
                from?: string;
                /** @description The day after the last one; default: tomorrow */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The days */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsageReport"];
                };
            };
        };
    };
    onRunCompleted: {
        parameters: {
            query?: never;
            header: {
                /** @description Equal for every attempt of one delivery: what came before has this id */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description Seconds since 1970 of this attempt */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and the signature over id, timestamp and body; one for each secret */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RunCompletedWebhook"];
                "application/cloudevents+json": components["schemas"]["CloudEvent"];
            };
        };
        responses: {
            /** @description Nothing more is wanted here */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it comes again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onRunFailed: {
        parameters: {
            query?: never;
            header: {
                /** @description Equal for every attempt of one delivery: what came before has this id */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description Seconds since 1970 of this attempt */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and the signature over id, timestamp and body; one for each secret */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RunFailedWebhook"];
                "application/cloudevents+json": components["schemas"]["CloudEvent"];
            };
        };
        responses: {
            /** @description Nothing more is wanted here */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it comes again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onRunCancelled: {
        parameters: {
            query?: never;
            header: {
                /** @description Equal for every attempt of one delivery: what came before has this id */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description Seconds since 1970 of this attempt */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and the signature over id, timestamp and body; one for each secret */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RunCancelledWebhook"];
                "application/cloudevents+json": components["schemas"]["CloudEvent"];
            };
        };
        responses: {
            /** @description Nothing more is wanted here */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it comes again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onRunTimedOut: {
        parameters: {
            query?: never;
            header: {
                /** @description Equal for every attempt of one delivery: what came before has this id */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description Seconds since 1970 of this attempt */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and the signature over id, timestamp and body; one for each secret */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RunTimedOutWebhook"];
                "application/cloudevents+json": components["schemas"]["CloudEvent"];
            };
        };
        responses: {
            /** @description Nothing more is wanted here */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it comes again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onApprovalRequested: {
        parameters: {
            query?: never;
            header: {
                /** @description Equal for every attempt of one delivery: what came before has this id */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description Seconds since 1970 of this attempt */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and the signature over id, timestamp and body; one for each secret */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApprovalRequestedWebhook"];
                "application/cloudevents+json": components["schemas"]["CloudEvent"];
            };
        };
        responses: {
            /** @description Nothing more is wanted here */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it comes again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onQuestionAsked: {
        parameters: {
            query?: never;
            header: {
                /** @description Equal for every attempt of one delivery: what came before has this id */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description Seconds since 1970 of this attempt */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and the signature over id, timestamp and body; one for each secret */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["QuestionAskedWebhook"];
                "application/cloudevents+json": components["schemas"]["CloudEvent"];
            };
        };
        responses: {
            /** @description Nothing more is wanted here */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it comes again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onQuestionAnswered: {
        parameters: {
            query?: never;
            header: {
                /** @description Equal for every attempt of one delivery: what came before has this id */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description Seconds since 1970 of this attempt */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and the signature over id, timestamp and body; one for each secret */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["QuestionAnsweredWebhook"];
                "application/cloudevents+json": components["schemas"]["CloudEvent"];
            };
        };
        responses: {
            /** @description Nothing more is wanted here */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it comes again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onTodosUpdated: {
        parameters: {
            query?: never;
            header: {
                /** @description Equal for every attempt of one delivery: what came before has this id */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description Seconds since 1970 of this attempt */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and the signature over id, timestamp and body; one for each secret */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TodosUpdatedWebhook"];
                "application/cloudevents+json": components["schemas"]["CloudEvent"];
            };
        };
        responses: {
            /** @description Nothing more is wanted here */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it comes again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onSubagentSpawned: {
        parameters: {
            query?: never;
            header: {
                /** @description Equal for every attempt of one delivery: what came before has this id */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description Seconds since 1970 of this attempt */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and the signature over id, timestamp and body; one for each secret */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubagentSpawnedWebhook"];
                "application/cloudevents+json": components["schemas"]["CloudEvent"];
            };
        };
        responses: {
            /** @description Nothing more is wanted here */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it comes again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onSubagentAnnounced: {
        parameters: {
            query?: never;
            header: {
                /** @description Equal for every attempt of one delivery: what came before has this id */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description Seconds since 1970 of this attempt */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and the signature over id, timestamp and body; one for each secret */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubagentAnnouncedWebhook"];
                "application/cloudevents+json": components["schemas"]["CloudEvent"];
            };
        };
        responses: {
            /** @description Nothing more is wanted here */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it comes again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onSubagentFailed: {
        parameters: {
            query?: never;
            header: {
                /** @description Equal for every attempt of one delivery: what came before has this id */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description Seconds since 1970 of this attempt */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and the signature over id, timestamp and body; one for each secret */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubagentFailedWebhook"];
                "application/cloudevents+json": components["schemas"]["CloudEvent"];
            };
        };
        responses: {
            /** @description Nothing more is wanted here */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it comes again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onFanoutCreated: {
        parameters: {
            query?: never;
            header: {
                /** @description Equal for every attempt of one delivery: what came before has this id */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description Seconds since 1970 of this attempt */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and the signature over id, timestamp and body; one for each secret */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FanoutCreatedWebhook"];
                "application/cloudevents+json": components["schemas"]["CloudEvent"];
            };
        };
        responses: {
            /** @description Nothing more is wanted here */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it comes again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onFanoutCompleted: {
        parameters: {
            query?: never;
            header: {
                /** @description Equal for every attempt of one delivery: what came before has this id */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description Seconds since 1970 of this attempt */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and the signature over id, timestamp and body; one for each secret */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FanoutCompletedWebhook"];
                "application/cloudevents+json": components["schemas"]["CloudEvent"];
            };
        };
        responses: {
            /** @description Nothing more is wanted here */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it comes again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onFanoutFailed: {
        parameters: {
            query?: never;
            header: {
                /** @description Equal for every attempt of one delivery: what came before has this id */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description Seconds since 1970 of this attempt */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and the signature over id, timestamp and body; one for each secret */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FanoutFailedWebhook"];
                "application/cloudevents+json": components["schemas"]["CloudEvent"];
            };
        };
        responses: {
            /** @description Nothing more is wanted here */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it comes again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onFanoutCancelled: {
        parameters: {
            query?: never;
            header: {
                /** @description Equal for every attempt of one delivery: what came before has this id */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description Seconds since 1970 of this attempt */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and the signature over id, timestamp and body; one for each secret */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FanoutCancelledWebhook"];
                "application/cloudevents+json": components["schemas"]["CloudEvent"];
            };
        };
        responses: {
            /** @description Nothing more is wanted here */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it comes again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onEndpointDisabled: {
        parameters: {
            query?: never;
            header: {
                /** @description Equal for every attempt of one delivery: what came before has this id */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description Seconds since 1970 of this attempt */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and the signature over id, timestamp and body; one for each secret */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EndpointDisabledWebhook"];
                "application/cloudevents+json": components["schemas"]["CloudEvent"];
            };
        };
        responses: {
            /** @description Nothing more is wanted here */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it comes again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onScheduleDisabled: {
        parameters: {
            query?: never;
            header: {
                /** @description Equal for every attempt of one delivery: what came before has this id */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description Seconds since 1970 of this attempt */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and the signature over id, timestamp and body; one for each secret */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScheduleDisabledWebhook"];
                "application/cloudevents+json": components["schemas"]["CloudEvent"];
            };
        };
        responses: {
            /** @description Nothing more is wanted here */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it comes again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onSessionCreated: {
        parameters: {
            query?: never;
            header: {
                /** @description Equal for every attempt of one delivery: what came before has this id */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description Seconds since 1970 of this attempt */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and the signature over id, timestamp and body; one for each secret */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SessionCreatedWebhook"];
                "application/cloudevents+json": components["schemas"]["CloudEvent"];
            };
        };
        responses: {
            /** @description Nothing more is wanted here */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it comes again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onSessionUpdated: {
        parameters: {
            query?: never;
            header: {
                /** @description Equal for every attempt of one delivery: what came before has this id */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description Seconds since 1970 of this attempt */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and the signature over id, timestamp and body; one for each secret */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SessionUpdatedWebhook"];
                "application/cloudevents+json": components["schemas"]["CloudEvent"];
            };
        };
        responses: {
            /** @description Nothing more is wanted here */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it comes again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onSessionForked: {
        parameters: {
            query?: never;
            header: {
                /** @description Equal for every attempt of one delivery: what came before has this id */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description Seconds since 1970 of this attempt */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and the signature over id, timestamp and body; one for each secret */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SessionForkedWebhook"];
                "application/cloudevents+json": components["schemas"]["CloudEvent"];
            };
        };
        responses: {
            /** @description Nothing more is wanted here */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it comes again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onSessionDeleted: {
        parameters: {
            query?: never;
            header: {
                /** @description Equal for every attempt of one delivery: what came before has this id */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description Seconds since 1970 of this attempt */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and the signature over id, timestamp and body; one for each secret */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SessionDeletedWebhook"];
                "application/cloudevents+json": components["schemas"]["CloudEvent"];
            };
        };
        responses: {
            /** @description Nothing more is wanted here */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it comes again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onEndpointTest: {
        parameters: {
            query?: never;
            header: {
                /** @description Equal for every attempt of one delivery: what came before has this id */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description Seconds since 1970 of this attempt */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and the signature over id, timestamp and body; one for each secret */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EndpointTestWebhook"];
                "application/cloudevents+json": components["schemas"]["CloudEvent"];
            };
        };
        responses: {
            /** @description Nothing more is wanted here */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it comes again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWebhook: {
        parameters: {
            query?: never;
            header: {
                /** @description Equal for every attempt of one delivery: what came before has this id */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description Seconds since 1970 of this attempt */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and the signature over id, timestamp and body; one for each secret */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookBody"];
                "application/cloudevents+json": components["schemas"]["CloudEvent"];
            };
        };
        responses: {
            /** @description Nothing more is wanted here */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it comes again */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
