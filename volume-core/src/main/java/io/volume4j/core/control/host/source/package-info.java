/**
 * The data sources of claims, and whether claims may use them: {@code dataSource} and {@code dataSourceRef}, grants across
 * namespaces, populators, snapshots and other claims. {@link io.volume4j.core.control.host.source.DataSource} is pure and depends
 * only on the model; {@link io.volume4j.core.control.host.source.DataSources} reads the object cache. The package knows the facts
 * of the host, but no feature.
 */
package io.volume4j.core.control.host.source;
