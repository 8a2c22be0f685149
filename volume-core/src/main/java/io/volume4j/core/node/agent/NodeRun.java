package io.volume4j.core.node.agent;

import io.volume4j.core.engine.Engine;
import io.volume4j.core.engine.Questions;
import io.volume4j.core.journal.OpenedJournal;
import io.volume4j.core.node.NodeStep;
import io.volume4j.core.node.VolumeView;
import io.volume4j.core.node.attach.AttachLimits;
import io.volume4j.core.node.desired.ClaimReads;
import io.volume4j.core.node.state.NodeJournal;
import io.volume4j.spi.VolumeId;
import org.jspecify.annotations.Nullable;

/**
 * What exists of an agent only once its journal is open.
 *
 * @param limits null for a node that does not say itself how many volumes may be attached to it
 */
record NodeRun(
        OpenedJournal opened,
        NodeWorld world,
        NodeJournal journal,
        Engine<VolumeId, VolumeView, NodeStep> engine,
        Questions<VolumeId> questions,
        Questions<ClaimReads.Use> claimReads,
        @Nullable AttachLimits limits) {}
