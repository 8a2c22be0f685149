package io.volume4j.core.control.host;

import java.util.List;

/**
 * The description of a controller: a list of features, and its identity.
 *
 * @param name for operation ids and metrics
 * @param only the only plugin that it serves, {@code ""} for all
 * @param features the features, in the order of their plans for one object
 */
public record ControllerSpec(String name, String only, List<Feature.Factory> features) {
    public ControllerSpec {
        features = List.copyOf(features);
    }
}
