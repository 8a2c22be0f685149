package io.volume4j.spi.model;

/**
 * Where a volume's content comes from: one record for each source that volume4j handles itself, {@link OtherSource} for
 * the rest, so that every manifest can be read and written back.
 *
 * @since 0.1.0
 */
public sealed interface VolumeSource
        permits ClaimSource,
                CsiSource,
                EmptyDirSource,
                FcSource,
                FlexVolumeSource,
                HostPathSource,
                IscsiSource,
                LocalSource,
                NfsSource,
                OtherSource {

    /** The key under which manifests write the source, such as {@code nfs} or {@code persistentVolumeClaim}. */
    String type();
}
