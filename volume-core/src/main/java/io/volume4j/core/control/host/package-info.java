/**
 * The host of the control plane's features: one event loop, one object cache, one engine, one way to write objects.
 *
 * <p>A {@link io.volume4j.core.control.host.Feature} is a capability of the control plane in its own package. The host knows
 * features only by that interface: it reports changes and outcomes to them, gets their views and plans, and makes their calls. The
 * host does the common work of all features: reads and writes of objects ({@link io.volume4j.core.control.host.ClusterWork}) with
 * one classification of failures, leadership, live reads before destructive calls, events, metrics. A feature gets the
 * {@link io.volume4j.core.control.host.Host}, which has the facts that several features need.
 *
 * <p>This package contains what every feature may need. It must not name a feature or depend on a feature's package.
 */
package io.volume4j.core.control.host;
