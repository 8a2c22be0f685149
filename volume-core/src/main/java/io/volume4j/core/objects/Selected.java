package io.volume4j.core.objects;

import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Pod;
import java.util.function.Predicate;

/** Whether an object matches a selection. A source may also return other objects. */
record Selected(Selection selection) implements Predicate<ApiObject> {
    @Override
    public boolean test(ApiObject object) {
        String node = selection.nodeName();
        return switch (object.kind()) {
            case POD ->
                node.isEmpty()
                        || (object instanceof Pod pod && pod.spec().nodeName().equals(node));
            case NODE -> node.isEmpty() || object.metadata().name().equals(node);
            default -> true;
        };
    }
}
