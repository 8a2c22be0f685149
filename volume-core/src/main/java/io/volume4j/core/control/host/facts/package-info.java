/**
 * What several features must know about objects of the cluster. It reads the object cache and the model, and knows neither a feature nor
 * the rest of the host.
 */
package io.volume4j.core.control.host.facts;
