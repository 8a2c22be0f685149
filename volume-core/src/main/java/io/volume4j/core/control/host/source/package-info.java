/**
 * What a claim is filled from, and whether it may be: {@code dataSource} and {@code dataSourceRef}, grants across namespaces,
 * populators, snapshots and other claims. {@link io.volume4j.core.control.host.source.DataSource} is pure and depends on the model alone;
 * {@link io.volume4j.core.control.host.source.DataSources} reads the object cache. It knows the facts of the host and no feature.
 */
package io.volume4j.core.control.host.source;
