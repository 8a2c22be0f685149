/**
 * The decisions of attach and detach, as pure functions: the keys, the views, the planners and their steps. Read
 * {@link io.volume4j.core.control.attach.plan.PairPlanner} first.
 *
 * <p>This package contains only values and functions of values. It depends on the engine's steps and on
 * {@link io.volume4j.core.grants}, never on the cache, a loop or a plugin.
 */
package io.volume4j.core.control.attach.plan;
