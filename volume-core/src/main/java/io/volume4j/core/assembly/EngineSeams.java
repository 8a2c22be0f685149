package io.volume4j.core.assembly;

import io.volume4j.core.control.attach.plan.AttachKey;
import io.volume4j.core.control.attach.plan.AttachStep;
import io.volume4j.core.control.attach.plan.AttachView;
import io.volume4j.core.control.attach.plan.RecordStep;
import io.volume4j.core.control.attach.plan.RecordView;
import io.volume4j.core.control.host.ClusterStep;
import io.volume4j.core.control.host.ObjectView;
import io.volume4j.core.engine.Seams;
import io.volume4j.core.engine.Step;
import io.volume4j.core.node.NodeStep;
import io.volume4j.core.node.VolumeView;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.ObjectKey;

/**
 * The wrappers around the parts of all agents' engines.
 * @param node for nodes
 * @param attach for attach/detach controllers
 * @param record for external attachers
 * @param objects for controllers of objects
 */
public record EngineSeams(
        Seams<VolumeId, VolumeView, NodeStep> node,
        Seams<AttachKey, AttachView, AttachStep> attach,
        Seams<ObjectKey, RecordView, RecordStep> record,
        Seams<ObjectKey, ObjectView, ClusterStep> objects) {
    /** Changes the wrappers of any engine. */
    public interface Change {
        /** @param reconciler {@code node}, {@code attach}, {@code record} or {@code binding} */
        <K, V, S extends Step> Seams<K, V, S> of(String reconciler, Seams<K, V, S> seams);
    }

    /** No wrappers. */
    public static EngineSeams none() {
        return new EngineSeams(Seams.none(), Seams.none(), Seams.none(), Seams.none());
    }

    /** The same with this change applied to all four. */
    public EngineSeams with(Change change) {
        return new EngineSeams(
                change.of("node", node),
                change.of("attach", attach),
                change.of("record", record),
                change.of("binding", objects));
    }

    public EngineSeams withNode(Seams<VolumeId, VolumeView, NodeStep> seams) {
        return new EngineSeams(seams, attach, record, objects);
    }

    public EngineSeams withAttach(Seams<AttachKey, AttachView, AttachStep> seams) {
        return new EngineSeams(node, seams, record, objects);
    }

    public EngineSeams withRecord(Seams<ObjectKey, RecordView, RecordStep> seams) {
        return new EngineSeams(node, attach, seams, objects);
    }

    public EngineSeams withObjects(Seams<ObjectKey, ObjectView, ClusterStep> seams) {
        return new EngineSeams(node, attach, record, seams);
    }
}
