package io.volume4j.core.control.host;

import java.util.List;

/**
 * What a controller is: a list of features, and what tells it from other controllers.
 *
 * @param name for operation ids and metrics
 * @param only the plugin that it is for, {@code ""} if for all
 * @param finalizer with which volumes are kept that the controller makes, {@code ""} if it makes none
 * @param features in the order of their plans for one object
 */
public record ControllerSpec(String name, String only, String finalizer, List<Feature.Factory> features) {
    public ControllerSpec {
        features = List.copyOf(features);
    }
}
