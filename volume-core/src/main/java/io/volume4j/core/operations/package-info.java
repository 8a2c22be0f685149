/**
 * Operations of an engine as hosts see them: which are under way, and when none is. Shared by the node and the controllers; depends on
 * the engine and on the public {@link io.volume4j.core.worlds}, and knows no reconciler.
 */
package io.volume4j.core.operations;
