/**
 * Carries out what the planners of {@link io.volume4j.core.control.binding} decide: one event loop that owns the object
 * cache and what is known beside it, and workers that call the cluster and the plugins.
 *
 * <p>{@link io.volume4j.core.control.run.BindingAgent} puts it together. Depends on the engine, the object cache, the
 * planners and the plugin registry. The public controllers of {@link io.volume4j.core.control} are thin shells around it.
 */
package io.volume4j.core.control.run;
