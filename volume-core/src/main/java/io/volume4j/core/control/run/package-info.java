/**
 * Puts features together: {@link io.volume4j.core.control.run.BindingAgent} is one event loop with the list of features that a
 * {@link io.volume4j.core.control.run.Duty} names, and the futures that wait for claims to be bound and for objects to be gone.
 *
 * <p>Depends on the features and their host; no feature may depend on it. The public controllers of {@link io.volume4j.core.control}
 * give it threads.
 */
package io.volume4j.core.control.run;
