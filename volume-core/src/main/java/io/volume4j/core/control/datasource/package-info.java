/**
 * What a claim is filled from, and whether it may be: {@code dataSource} and {@code dataSourceRef}, grants across namespaces, and
 * populators. Pure; depends on the model alone.
 */
package io.volume4j.core.control.datasource;
