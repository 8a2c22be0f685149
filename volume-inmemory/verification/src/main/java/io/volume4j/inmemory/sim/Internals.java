package io.volume4j.inmemory.sim;

import io.volume4j.core.control.attach.plan.AttachKey;
import io.volume4j.core.control.attach.plan.AttachStep;
import io.volume4j.core.control.attach.plan.AttachView;
import io.volume4j.core.control.attach.plan.RecordStep;
import io.volume4j.core.control.attach.plan.RecordView;
import io.volume4j.core.control.host.ClusterStep;
import io.volume4j.core.control.host.ObjectView;
import io.volume4j.core.engine.OperationExecutor;
import io.volume4j.core.engine.Plan;
import io.volume4j.core.engine.Seams;
import io.volume4j.core.engine.Step;
import io.volume4j.core.journal.InMemoryJournalStore;
import io.volume4j.core.journal.JournalOptions;
import io.volume4j.core.node.Belief;
import io.volume4j.core.node.NodeStep;
import io.volume4j.core.node.VolumeView;
import io.volume4j.core.node.agent.NodeAgent;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.ObjectKey;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;

/** The parts of simulated worlds with types that no module exports. */
public final class Internals {
    private Internals() {}

    /** Wraps the parts of the nodes' engines. */
    public static SimulationBuilder nodeSeams(SimulationBuilder builder, Seams<VolumeId, VolumeView, NodeStep> seams) {
        return builder.seams(given -> given.withNode(seams));
    }

    /** Wraps the parts of the engines of object controllers. */
    public static SimulationBuilder objectSeams(
            SimulationBuilder builder, Seams<ObjectKey, ObjectView, ClusterStep> seams) {
        return builder.seams(given -> given.withObjects(seams));
    }

    /** Wraps the parts of the engines of attach/detach controllers. */
    public static SimulationBuilder attachSeams(
            SimulationBuilder builder, Seams<AttachKey, AttachView, AttachStep> seams) {
        return builder.seams(given -> given.withAttach(seams));
    }

    /** Wraps the parts of the engines that execute VolumeAttachments. */
    public static SimulationBuilder recordSeams(
            SimulationBuilder builder, Seams<ObjectKey, RecordView, RecordStep> seams) {
        return builder.seams(given -> given.withRecord(seams));
    }

    /** Changes the call limits that nodes apply; the default is no change. */
    public static SimulationBuilder appliedLimits(
            SimulationBuilder builder, UnaryOperator<OperationExecutor.Limits> change) {
        return builder.appliedLimits(change);
    }

    /** Sets the options of the nodes' journals. */
    public static SimulationBuilder journal(SimulationBuilder builder, JournalOptions options) {
        return builder.journal(options);
    }

    /** Reports each plan with the name of its reconciler. */
    public static SimulationBuilder onPlan(
            SimulationBuilder builder, BiConsumer<String, Plan<? extends Step>> listener) {
        return builder.onPlan(listener);
    }

    /** Disables the oracle, so that the world can be large. */
    public static SimulationBuilder unjudged(SimulationBuilder builder) {
        return builder.unjudged();
    }

    /** Counts the work of all engines. */
    public static SimulationBuilder counting(SimulationBuilder builder, EngineCounts counts) {
        return builder.seams(given -> given.with(counts));
    }

    /** Successful writes of the process. */
    public static long writes(SimProcess process) {
        return process.load().writes();
    }

    /** Objects in the answers to the lists of the process. */
    public static long listed(SimProcess process) {
        return process.load().listed();
    }

    /** Events of the watches of the process. */
    public static long events(SimProcess process) {
        return process.load().events();
    }

    /** The agent of a running node. */
    public static NodeAgent agent(NodeProcess node) {
        return (NodeAgent) node.agent().orElseThrow();
    }

    /** The beliefs of the agent; empty unless it is ready. */
    public static List<Belief> beliefs(NodeProcess node) {
        return node.beliefs();
    }

    /** The disk of the node's journal. */
    public static InMemoryJournalStore journal(NodeProcess node) {
        return node.journal();
    }
}
