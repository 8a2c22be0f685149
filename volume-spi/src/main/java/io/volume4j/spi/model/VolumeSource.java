package io.volume4j.spi.model;

/**
 * The source of a volume. There is one record for each source that volume4j handles itself, and {@link OtherSource}
 * for all others, so that the library can read and write back every manifest.
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
