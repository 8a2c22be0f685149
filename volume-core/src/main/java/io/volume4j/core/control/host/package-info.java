/**
 * The host of the control plane's features: one event loop, one object cache, one engine, one way to write objects.
 *
 * <p>A {@link io.volume4j.core.control.host.Feature} is a capability of the control plane in a package of its own. The host
 * knows features only by that interface: it tells them of changes, asks them for views and plans, makes their calls and tells
 * them how the calls ended. It does for all of them what they have in common: reads and writes of objects ({@link
 * io.volume4j.core.control.host.ClusterWork}) with one classification of failures, leadership, live reads before destructive
 * calls, events, metrics. A feature gets the {@link io.volume4j.core.control.host.Host} and reads there what several features
 * must know.
 *
 * <p>What may enter: what every feature may need. Nothing here may name a feature or depend on the package of one.
 */
package io.volume4j.core.control.host;
